// Ops listed in op-names become composites whose decomposition is a function of the op.
// RUN: shardopt %s --stablehlo-wrap-in-composite='op-names=stablehlo.add,stablehlo.reduce version=2'

func.func @main(%a: tensor<4xf32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %2 = stablehlo.add %1, %c : tensor<f32>
  %3 = stablehlo.negate %2 : tensor<f32>
  return %3 : tensor<f32>
}
