// Constants of commutative ops and of comparisons are moved to the right.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<i1>) {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.maximum %c, %x : tensor<f32>
  %1 = stablehlo.subtract %c, %x : tensor<f32>
  %2 = stablehlo.compare LT, %c, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<i1>
}
