// Divisions by zero, conversions out of range and functions without a finite value are not folded but left to the run
// RUN: shardopt %s --stablehlo-aggressive-folder

func.func @main() -> (tensor<i32>, tensor<2xi32>, tensor<f32>, tensor<f32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %large = stablehlo.constant dense<[1.0, 3.0e9]> : tensor<2xf32>
  %minus = stablehlo.constant dense<-1.0> : tensor<f32>
  %nothing = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.remainder %one, %zero : tensor<i32>
  %1 = stablehlo.convert %large : (tensor<2xf32>) -> tensor<2xi32>
  %2 = stablehlo.sqrt %minus : tensor<f32>
  %3 = stablehlo.log %nothing : tensor<f32>
  return %0, %1, %2, %3 : tensor<i32>, tensor<2xi32>, tensor<f32>, tensor<f32>
}
