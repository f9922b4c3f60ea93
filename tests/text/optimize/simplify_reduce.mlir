// A reduce over no dimensions, one of no elements, and one with a result from outside its body are simplified.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%x: tensor<4xf32>, %none: tensor<2x0xf32>, %c: tensor<f32>) -> (tensor<4xf32>, tensor<2xf32>, tensor<f32>) {
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.reduce(%none init: %c) applies stablehlo.add across dimensions = [1] : (tensor<2x0xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = stablehlo.reduce(%x init: %c) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    stablehlo.return %c : tensor<f32>
  }
  return %0, %1, %2 : tensor<4xf32>, tensor<2xf32>, tensor<f32>
}
