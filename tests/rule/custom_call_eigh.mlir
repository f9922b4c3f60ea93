// Eigenvectors have the shape of the matrix, eigenvalues its last dimension
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%a: tensor<2x8x8xf32>) -> (tensor<2x8x8xf32>, tensor<2x8xf32>) {
  %0:2 = stablehlo.custom_call @Eigh(%a) : (tensor<2x8x8xf32>) -> (tensor<2x8x8xf32>, tensor<2x8xf32>)
  return %0#0, %0#1 : tensor<2x8x8xf32>, tensor<2x8xf32>
}
