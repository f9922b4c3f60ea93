func.func @main() -> (tensor<20xi32>, tensor<f32>) {
  %0 = stablehlo.iota dim = 0 : tensor<20xi32>
  %1 = stablehlo.constant dense<2.5> : tensor<f32>
  return %0, %1 : tensor<20xi32>, tensor<f32>
}
