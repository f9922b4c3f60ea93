// Inputs that only unused results need are removed from a reduce.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>, %c: tensor<f32>) -> tensor<f32> {
  %0:2 = stablehlo.reduce(%x init: %c), (%y init: %c) across dimensions = [0] : (tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%d: tensor<f32>, %e: tensor<f32>) {
    %1 = stablehlo.add %a, %b : tensor<f32>
    %2 = stablehlo.maximum %d, %e : tensor<f32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
  }
  return %0#1 : tensor<f32>
}
