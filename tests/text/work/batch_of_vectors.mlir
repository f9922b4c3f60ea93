// Batches of matrices times vectors, and of scalar products, are loop nests. Inner loops are the contracted dimensions in the order of
// the larger operand. Batches of matrices that are large or have long contiguous rows stay products, unless the batch is not
// outermost. Single products and products of bf16 stay.
// RUN: shardopt -shardrun-lower-to-work %s
func.func @main(%blocks: tensor<20x8x4x4xf32>, %x: tensor<20x8x4xf32>, %y: tensor<20x4x8xf32>, %q: tensor<4x8x64xf64>, %k: tensor<4x100x8x64xf64>, %long: tensor<20x4x64xf32>, %z: tensor<20x64xf32>, %one: tensor<1x8x4xf32>, %u: tensor<1x8xf32>, %short: tensor<20x8x4xbf16>, %v: tensor<20x8xbf16>, %large: tensor<4x8x64x100xf64>, %longer: tensor<20x4x257xf32>, %w: tensor<20x257xf32>) -> (tensor<20x4xf32>, tensor<4x20xf32>, tensor<4x8x100xf64>, tensor<20x4xf32>, tensor<1x4xf32>, tensor<20x4xbf16>, tensor<4x8x100xf64>, tensor<20x4xf32>) {
  %0 = stablehlo.dot_general %blocks, %x, batching_dims = [0] x [0], contracting_dims = [3, 1] x [2, 1] : (tensor<20x8x4x4xf32>, tensor<20x8x4xf32>) -> tensor<20x4xf32>
  %1 = stablehlo.dot_general %x, %y, batching_dims = [2, 0] x [1, 0], contracting_dims = [1] x [2] : (tensor<20x8x4xf32>, tensor<20x4x8xf32>) -> tensor<4x20xf32>
  %2 = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<4x8x64xf64>, tensor<4x100x8x64xf64>) -> tensor<4x8x100xf64>
  %3 = stablehlo.dot_general %long, %z, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<20x4x64xf32>, tensor<20x64xf32>) -> tensor<20x4xf32>
  %4 = stablehlo.dot_general %one, %u, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<1x8x4xf32>, tensor<1x8xf32>) -> tensor<1x4xf32>
  %5 = stablehlo.dot_general %short, %v, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<20x8x4xbf16>, tensor<20x8xbf16>) -> tensor<20x4xbf16>
  %6 = stablehlo.dot_general %q, %large, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2] : (tensor<4x8x64xf64>, tensor<4x8x64x100xf64>) -> tensor<4x8x100xf64>
  %7 = stablehlo.dot_general %longer, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<20x4x257xf32>, tensor<20x257xf32>) -> tensor<20x4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<20x4xf32>, tensor<4x20xf32>, tensor<4x8x100xf64>, tensor<20x4xf32>, tensor<1x4xf32>, tensor<20x4xbf16>, tensor<4x8x100xf64>, tensor<20x4xf32>
}
