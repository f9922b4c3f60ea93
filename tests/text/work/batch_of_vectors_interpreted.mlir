// Without a compiler, batches of matrices with rows of 48 elements and more stay products: the kernel is faster than the interpreter.
// RUN: shardopt -shardrun-lower-to-work=interpreted=true %s
func.func @main(%x: tensor<20x4x47xf32>, %u: tensor<20x47xf32>, %y: tensor<20x4x48xf32>, %v: tensor<20x48xf32>) -> (tensor<20x4xf32>, tensor<20x4xf32>) {
  %0 = stablehlo.dot_general %x, %u, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<20x4x47xf32>, tensor<20x47xf32>) -> tensor<20x4xf32>
  %1 = stablehlo.dot_general %y, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<20x4x48xf32>, tensor<20x48xf32>) -> tensor<20x4xf32>
  return %0, %1 : tensor<20x4xf32>, tensor<20x4xf32>
}
