// A reduction body may use a value from outside, and is vectorized
// RUN: shardrun --interpret %s
func.func @main() {
  %x = stablehlo.constant dense<[[1.0, 2.0, 4.0, 3.0], [-1.0, -2.0, -4.0, -3.0]]> : tensor<2x4xf32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %i = stablehlo.iota dim = 1 : tensor<2x4xi32>
  %max:2 = stablehlo.reduce(%x init: %zero), (%i init: %none) across dimensions = [1] : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%ai: tensor<i32>, %bi: tensor<i32>) {
      %some = stablehlo.compare NE, %ai, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %ge = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %first = stablehlo.and %ge, %some : tensor<i1>
      %v = stablehlo.select %first, %a, %b : tensor<i1>, tensor<f32>
      %vi = stablehlo.select %first, %ai, %bi : tensor<i1>, tensor<i32>
      stablehlo.return %v, %vi : tensor<f32>, tensor<i32>
    }
  check.expect_eq_const %max#0, dense<[4.0, -1.0]> : tensor<2xf32>
  check.expect_eq_const %max#1, dense<[2, 0]> : tensor<2xi32>
  return
}
