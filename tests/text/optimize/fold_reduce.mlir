// A maximum over equal elements becomes a maximum of the element and the initial value.
// RUN: shardopt %s --stablehlo-aggressive-folder

func.func @main(%init: tensor<f32>) -> tensor<4xf32> {
  %a = stablehlo.constant dense<2.0> : tensor<4x8xf32>
  %0 = stablehlo.reduce(%a init: %init) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
