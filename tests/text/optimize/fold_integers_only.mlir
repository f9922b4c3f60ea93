// Without optimize-float, ops on floats are not folded.
// RUN: shardopt %s --stablehlo-aggressive-folder=optimize-float=false

func.func @main() -> (tensor<i32>, tensor<f32>) {
  %a = stablehlo.constant dense<2> : tensor<i32>
  %b = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.add %a, %a : tensor<i32>
  %1 = stablehlo.add %b, %b : tensor<f32>
  return %0, %1 : tensor<i32>, tensor<f32>
}
