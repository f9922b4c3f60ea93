// A scalar predicate of a select has no factor
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%p: tensor<i1>, %a: tensor<8x4xf32>, %b: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.select %p, %a, %b : tensor<i1>, tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
