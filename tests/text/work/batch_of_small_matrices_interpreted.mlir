// Without a compiler, batches of small matrices that a product kernel reads in place stay products
// RUN: shardopt -shardrun-lower-to-work=interpreted=true %s
func.func @main(%x: tensor<9x4x4xf32>, %y: tensor<9x4x24xf32>, %z: tensor<9x6x4x4xf32>) -> (tensor<9x4x24xf32>, tensor<9x4x6x4xf32>) {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<9x4x4xf32>, tensor<9x4x24xf32>) -> tensor<9x4x24xf32>
  %1 = stablehlo.dot_general %x, %z, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<9x4x4xf32>, tensor<9x6x4x4xf32>) -> tensor<9x4x6x4xf32>
  return %0, %1 : tensor<9x4x24xf32>, tensor<9x4x6x4xf32>
}
