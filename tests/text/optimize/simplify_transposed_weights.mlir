// Convolutions read transposed and reversed weights in place. Data of a gradient of weights, which is larger than the result, and weights reversed along channels keep their transposes.
// RUN: shardopt %s -shardrun-simplify -dce
func.func @gradient_of_data(%dy: tensor<2x7x7x8xf32>, %w: tensor<8x4x3x3xf32>) -> tensor<2x7x7x4xf32> {
  %0 = stablehlo.transpose %w, dims = [2, 3, 1, 0] : (tensor<8x4x3x3xf32>) -> tensor<3x3x4x8xf32>
  %1 = stablehlo.reverse %0, dims = [0, 1] : tensor<3x3x4x8xf32>
  %2 = stablehlo.convolution(%dy, %1) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x7x7x8xf32>, tensor<3x3x4x8xf32>) -> tensor<2x7x7x4xf32>
  return %2 : tensor<2x7x7x4xf32>
}

// Reversed once more, along one dimension, the window is reversed along the other one.
func.func @reversed_twice(%x: tensor<2x7x7x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<2x5x5x8xf32> {
  %0 = stablehlo.reverse %w, dims = [1] : tensor<3x3x4x8xf32>
  %1 = stablehlo.convolution(%x, %0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x7x7x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x5x5x8xf32>
  return %1 : tensor<2x5x5x8xf32>
}

func.func @kept(%x: tensor<4x9x9x2xf32>, %y: tensor<2x8x7x7xf32>, %w: tensor<3x3x4x8xf32>, %v: tensor<2x7x7x4xf32>) -> (tensor<3x3x4x8xf32>, tensor<2x5x5x8xf32>) {
  %0 = stablehlo.transpose %y, dims = [0, 2, 3, 1] : (tensor<2x8x7x7xf32>) -> tensor<2x7x7x8xf32>
  %1 = stablehlo.convolution(%x, %0) dim_numbers = [b, 0, 1, f]x[i, 0, 1, o]->[0, 1, b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x9x9x2xf32>, tensor<2x7x7x8xf32>) -> tensor<3x3x4x8xf32>
  %2 = stablehlo.reverse %w, dims = [0, 3] : tensor<3x3x4x8xf32>
  %3 = stablehlo.convolution(%v, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x7x7x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x5x5x8xf32>
  return %1, %3 : tensor<3x3x4x8xf32>, tensor<2x5x5x8xf32>
}
