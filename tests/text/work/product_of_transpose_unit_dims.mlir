// A product reads the operand of a small transpose if its left operand has contiguous rows without the transpose. The transpose moves a
// dimension of extent 1, too: the result is reshaped. As the right operand a small transpose stays.
// RUN: shardopt %s -shardrun-lower-to-work
func.func @main(%x: tensor<1x8x4x1x3xf32>, %v: tensor<1x6x4x3xf32>, %w: tensor<4x3x5xf32>) -> (tensor<1x4x1x8x6xf32>, tensor<4x5x1x8xf32>) {
  %0 = stablehlo.transpose %x, dims = [0, 2, 4, 3, 1] : (tensor<1x8x4x1x3xf32>) -> tensor<1x4x3x1x8xf32>
  %1 = stablehlo.dot_general %0, %v, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<1x4x3x1x8xf32>, tensor<1x6x4x3xf32>) -> tensor<1x4x1x8x6xf32>
  %2 = stablehlo.reshape %w : (tensor<4x3x5xf32>) -> tensor<1x4x3x5xf32>
  %3 = stablehlo.dot_general %2, %0, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2] : (tensor<1x4x3x5xf32>, tensor<1x4x3x1x8xf32>) -> tensor<1x4x5x1x8xf32>
  %4 = stablehlo.reshape %3 : (tensor<1x4x5x1x8xf32>) -> tensor<4x5x1x8xf32>
  return %1, %4 : tensor<1x4x1x8x6xf32>, tensor<4x5x1x8xf32>
}
