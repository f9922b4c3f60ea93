// A convolution of one channel becomes a loop nest with a multiplication per element of a small window, or a reduction over a large one;
// convolutions of several channels, and f32 ones by large windows with a stride and a short row, do not
// RUN: shardopt %s -shardrun-lower-to-work
func.func @main(%x: tensor<2x8x1xf32>, %w: tensor<2x1x1xf32>, %y: tensor<2x8x3xf32>, %v: tensor<2x3x1xf32>, %l: tensor<31x1x1xf32>) -> (tensor<4x1x2xf32>, tensor<2x8x1xf32>, tensor<2x8x1xf32>, tensor<2x4x1xf32>) {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[0, f, b], window = {stride = [2], pad = [[1, 1]], rhs_dilate = [3], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x1xf32>, tensor<2x1x1xf32>) -> tensor<4x1x2xf32>
  %1 = stablehlo.convolution(%y, %v) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x3xf32>, tensor<2x3x1xf32>) -> tensor<2x8x1xf32>
  %2 = stablehlo.convolution(%x, %l) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[15, 15]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x1xf32>, tensor<31x1x1xf32>) -> tensor<2x8x1xf32>
  %3 = stablehlo.convolution(%x, %l) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[15, 15]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x1xf32>, tensor<31x1x1xf32>) -> tensor<2x4x1xf32>
  return %0, %1, %2, %3 : tensor<4x1x2xf32>, tensor<2x8x1xf32>, tensor<2x8x1xf32>, tensor<2x4x1xf32>
}
