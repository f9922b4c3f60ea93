// The gradient of a convolution's weights: each device sums over its part of the windows, with one boundary row; an all_reduce adds the sums
// RUN: shardopt %s -shardrun-emit-forms
sdy.mesh @mesh = <["x"=4]>
func.func @main(%arg0: tensor<2x16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %arg1: tensor<2x16x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) -> tensor<3x3x5xf32> {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<2x16x5xf32>) -> tensor<3x3x5xf32>
  return %0 : tensor<3x3x5xf32>
}
