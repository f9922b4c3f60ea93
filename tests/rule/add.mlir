// The rule of an elementwise op has one factor per dimension
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
