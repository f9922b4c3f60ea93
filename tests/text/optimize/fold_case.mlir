// A case with a constant index is replaced by the branch; if branches have side effects, the case is kept although they are unreachable
// RUN: shardopt %s --stablehlo-aggressive-folder

func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.case"(%i) ({
    %2 = stablehlo.sine %x : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  %1 = "stablehlo.case"(%i) ({
    %2 = stablehlo.cosine %x : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }, {
    %2 = stablehlo.custom_call @f(%x) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
