// A reduction is a nest with inner loops; bf16 is summed in f32 and rounded once
// RUN: shardopt %s -shardrun-lower-to-work
func.func @main(%x: tensor<4x3xf32>, %y: tensor<5xbf16>) -> (tensor<4xf32>, tensor<bf16>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.constant dense<0.0> : tensor<bf16>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
  %s = stablehlo.reduce(%y init: %b) applies stablehlo.add across dimensions = [0] : (tensor<5xbf16>, tensor<bf16>) -> tensor<bf16>
  return %r, %s : tensor<4xf32>, tensor<bf16>
}
