// A value whose bytes exceed 64 bits is refused at its position.
// RUN: shardrun %s --run=false
// EXIT: 5
func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.constant dense<1.0> : tensor<9223372036854775807xf32>
  %1 = stablehlo.reduce(%0 init: %arg0) applies stablehlo.add across dimensions = [0] : (tensor<9223372036854775807xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
