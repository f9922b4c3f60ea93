// Contracting dimensions are ordered such that an operand is not transposed
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%x: tensor<4x8x16x16xf32>, %y: tensor<4x8x16x32xf32>, %w: tensor<4x64x64xf32>, %n: tensor<64x4xf32>) ->
    (tensor<4x16x32xf32>, tensor<64xf32>) {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [3, 1] x [2, 1] :
      (tensor<4x8x16x16xf32>, tensor<4x8x16x32xf32>) -> tensor<4x16x32xf32>
  %1 = stablehlo.dot_general %w, %n, contracting_dims = [1, 0] x [0, 1] : (tensor<4x64x64xf32>, tensor<64x4xf32>) -> tensor<64xf32>
  return %0, %1 : tensor<4x16x32xf32>, tensor<64xf32>
}
