// The scalar bounds of a clamp have no factor
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%lo: tensor<f32>, %a: tensor<8x4xf32>, %hi: tensor<f32>) -> tensor<8x4xf32> {
  %0 = stablehlo.clamp %lo, %a, %hi : (tensor<f32>, tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
