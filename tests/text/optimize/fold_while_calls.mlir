// With assume-no-undeclared-side-effects, an unused loop that is never executed is removed even if it contains calls.
// RUN: shardopt %s --stablehlo-aggressive-folder=assume-no-undeclared-side-effects

func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %never = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.while(%v = %x) : tensor<f32>
   cond {
    stablehlo.return %never : tensor<i1>
  } do {
    %1 = func.call @f(%v) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}
func.func private @f(tensor<f32>) -> tensor<f32>
