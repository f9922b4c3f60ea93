// The matrix dimensions of a cholesky are replicated
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%a: tensor<2x8x8xf32>) -> tensor<2x8x8xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x8x8xf32>
  return %0 : tensor<2x8x8xf32>
}
