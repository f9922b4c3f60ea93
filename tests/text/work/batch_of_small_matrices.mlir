// Products of batches of small matrices are loop nests if a product kernel would transpose an operand, or has rows longer than a vector; not if the batch is innermost
// RUN: shardopt -shardrun-lower-to-work %s
func.func @derivative(%x: tensor<9x4x4xf32>, %y: tensor<9x6x4x4xf32>) -> tensor<9x4x6x4xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<9x4x4xf32>, tensor<9x6x4x4xf32>) -> tensor<9x4x6x4xf32>
  return %0 : tensor<9x4x6x4xf32>
}
func.func @batch_is_second(%x: tensor<3x9x6x3xf64>, %y: tensor<9x3x3xf64>) -> tensor<9x3x6x3xf64> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [1] x [0], contracting_dims = [3] x [1] : (tensor<3x9x6x3xf64>, tensor<9x3x3xf64>) -> tensor<9x3x6x3xf64>
  return %0 : tensor<9x3x6x3xf64>
}
func.func @long_rows(%x: tensor<9x4x4xf32>, %y: tensor<9x4x24xf32>) -> tensor<9x4x24xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<9x4x4xf32>, tensor<9x4x24xf32>) -> tensor<9x4x24xf32>
  return %0 : tensor<9x4x24xf32>
}
func.func @kernels(%x: tensor<9x4x4xf32>, %y: tensor<4x4x9xf32>, %z: tensor<3x9x3xf32>, %w: tensor<9x5x3xf32>) -> (tensor<9x4x4xf32>, tensor<9x4x4xf32>, tensor<9x3x5xf32>) {
  %0 = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<9x4x4xf32>, tensor<9x4x4xf32>) -> tensor<9x4x4xf32>
  %1 = stablehlo.dot_general %x, %y, batching_dims = [0] x [2], contracting_dims = [2] x [0] : (tensor<9x4x4xf32>, tensor<4x4x9xf32>) -> tensor<9x4x4xf32>
  %2 = stablehlo.dot_general %z, %w, batching_dims = [1] x [0], contracting_dims = [2] x [2] : (tensor<3x9x3xf32>, tensor<9x5x3xf32>) -> tensor<9x3x5xf32>
  return %0, %1, %2 : tensor<9x4x4xf32>, tensor<9x4x4xf32>, tensor<9x3x5xf32>
}
