// Sliced dimensions have permutation factors
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%a: tensor<32x4x8xf32>) -> tensor<32x1x2xf32> {
  %0 = stablehlo.slice %a [0:32, 1:2, 4:8:2] : (tensor<32x4x8xf32>) -> tensor<32x1x2xf32>
  return %0 : tensor<32x1x2xf32>
}
