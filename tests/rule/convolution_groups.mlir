// The groups of a convolution are a factor of their own, major in the dimensions that they divide
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @feature(%x: tensor<2x8x8x16xf32>, %k: tensor<3x3x4x32xf32>) -> tensor<2x8x8x32xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<2x8x8x16xf32>, tensor<3x3x4x32xf32>) -> tensor<2x8x8x32xf32>
  return %0 : tensor<2x8x8x32xf32>
}
func.func @batch(%x: tensor<4x8x8x16xf32>, %k: tensor<3x3x16x32xf32>) -> tensor<2x8x8x32xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x8x8x16xf32>, tensor<3x3x16x32xf32>) -> tensor<2x8x8x32xf32>
  return %0 : tensor<2x8x8x32xf32>
}
