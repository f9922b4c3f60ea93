// Reversed dimensions have permutation factors
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.reverse %a, dims = [1] : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
