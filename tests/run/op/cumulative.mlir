// Windows of the dimension's length give cumulative sums, maxima and products: forward, backward, along rows and columns
// RUN: shardrun --interpret %s
func.func @main() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %ones = stablehlo.constant dense<1> : tensor<100xi32>
  %numbers = stablehlo.iota dim = 0 : tensor<100xi32>
  %1 = "stablehlo.reduce_window"(%ones, %zero) <{window_dimensions = array<i64: 100>, padding = dense<[[99, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<100xi32>, tensor<i32>) -> tensor<100xi32>
  %up = stablehlo.add %numbers, %ones : tensor<100xi32>
  check.expect_eq %1, %up : tensor<100xi32>
  %2 = "stablehlo.reduce_window"(%ones, %zero) <{window_dimensions = array<i64: 100>, padding = dense<[[0, 99]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %b, %a : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<100xi32>, tensor<i32>) -> tensor<100xi32>
  %down = stablehlo.reverse %up, dims = [0] : tensor<100xi32>
  check.expect_eq %2, %down : tensor<100xi32>
  // an init value that is not the identity enters once per window element: 100 times 1, less that of the padding
  %3 = "stablehlo.reduce_window"(%numbers, %one) <{window_dimensions = array<i64: 100>, padding = dense<[[99, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<100xi32>, tensor<i32>) -> tensor<100xi32>
  %first = stablehlo.slice %3 [0:2] : (tensor<100xi32>) -> tensor<2xi32>
  check.expect_eq_const %first, dense<[100, 100]> : tensor<2xi32>
  %table = stablehlo.iota dim = 0 : tensor<80x3xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %4 = "stablehlo.reduce_window"(%table, %low) <{window_dimensions = array<i64: 80, 1>, padding = dense<[[0, 79], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<80x3xf32>, tensor<f32>) -> tensor<80x3xf32>
  %all = stablehlo.constant dense<79.0> : tensor<80x3xf32>
  check.expect_eq %4, %all : tensor<80x3xf32>
  return
}
