// For a StableHLO version without tan, tan becomes sine / cosine.
// RUN: shardopt %s --stablehlo-compatibility-expander=target=1.3.0

func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.tan %x : tensor<f32>
  return %0 : tensor<f32>
}
