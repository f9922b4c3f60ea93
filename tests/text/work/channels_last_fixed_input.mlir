// The result of a convolution of single elements, or depthwise along one dimension, keeps channels second if its input, here a
// reshape, must: the nest reads it in the order of its loops. With a wider window the result gets channels last.
// RUN: shardopt %s -shardrun-lower-to-work -shardrun-channels-last
func.func @main(%x: tensor<2x8x30xf32>, %w0: tensor<8x8x1x1xf32>, %w1: tensor<8x1x1x3xf32>, %w2: tensor<8x8x1x3xf32>) -> (tensor<2x8x1x30xf32>, tensor<2x8x1x30xf32>, tensor<2x8x1x30xf32>) {
  %r = stablehlo.reshape %x : (tensor<2x8x30xf32>) -> tensor<2x8x1x30xf32>
  %0 = stablehlo.convolution(%r, %w0) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x1x30xf32>, tensor<8x8x1x1xf32>) -> tensor<2x8x1x30xf32>
  %1 = stablehlo.convolution(%r, %w1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[0, 0], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 8 : i64} : (tensor<2x8x1x30xf32>, tensor<8x1x1x3xf32>) -> tensor<2x8x1x30xf32>
  %2 = stablehlo.convolution(%r, %w2) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[0, 0], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x1x30xf32>, tensor<8x8x1x3xf32>) -> tensor<2x8x1x30xf32>
  %3 = stablehlo.negate %0 : tensor<2x8x1x30xf32>
  %4 = stablehlo.negate %1 : tensor<2x8x1x30xf32>
  %5 = stablehlo.negate %2 : tensor<2x8x1x30xf32>
  return %3, %4, %5 : tensor<2x8x1x30xf32>, tensor<2x8x1x30xf32>, tensor<2x8x1x30xf32>
}
