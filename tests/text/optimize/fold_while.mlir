// A loop that is never executed is replaced by its operands
// RUN: shardopt %s --stablehlo-aggressive-folder

func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %never = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.while(%v = %x) : tensor<f32>
   cond {
    stablehlo.return %never : tensor<i1>
  } do {
    %1 = stablehlo.sine %v : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}
