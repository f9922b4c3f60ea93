// With convert-numbers, conversions of one number to a float are folded; other ops on floats are not.
// RUN: shardopt %s --stablehlo-aggressive-folder="optimize-float=false convert-numbers=true"

func.func @main() -> (tensor<f32>, tensor<f32>, tensor<2xf32>) {
  %a = stablehlo.constant dense<7> : tensor<i64>
  %b = stablehlo.constant dense<2.0> : tensor<f32>
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = stablehlo.convert %a : (tensor<i64>) -> tensor<f32>
  %1 = stablehlo.add %b, %b : tensor<f32>
  %2 = stablehlo.convert %c : (tensor<2xi64>) -> tensor<2xf32>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<2xf32>
}
