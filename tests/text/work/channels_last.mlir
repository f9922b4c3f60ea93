// Convolutions with channels second, and the loop nests between them, get channels last; arguments and results of the function keep
// their layout. The second convolution is the gradient of the first one's weights.
// RUN: shardopt %s -shardrun-lower-to-work -shardrun-channels-last
func.func @main(%x: tensor<4x3x6x7xf32>, %w0: tensor<8x3x3x3xf32>, %w1: tensor<8x8x1x1xf32>, %bias: tensor<8xf32>) -> (tensor<8x8x1x1xf32>, tensor<4x8x6x7xf32>) {
  %i = stablehlo.iota dim = 2 : tensor<4x8x6x7xf32>
  %b = stablehlo.broadcast_in_dim %bias, dims = [1] : (tensor<8xf32>) -> tensor<4x8x6x7xf32>
  %0 = stablehlo.convolution(%x, %w0) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x3x6x7xf32>, tensor<8x3x3x3xf32>) -> tensor<4x8x6x7xf32>
  %1 = stablehlo.add %0, %b : tensor<4x8x6x7xf32>
  %2 = stablehlo.multiply %1, %i : tensor<4x8x6x7xf32>
  %3 = stablehlo.convolution(%0, %2) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6x7xf32>, tensor<4x8x6x7xf32>) -> tensor<8x8x1x1xf32>
  %4 = stablehlo.convolution(%2, %w1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6x7xf32>, tensor<8x8x1x1xf32>) -> tensor<4x8x6x7xf32>
  return %3, %4 : tensor<8x8x1x1xf32>, tensor<4x8x6x7xf32>
}
