// Large windows with any reducer are computed by doubling: sizes that are no power of two, padding, strides, dilation, two operands, two dimensions;
// elements are combined in order
// RUN: shardrun --interpret %s
func.func @main() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %ones = stablehlo.constant dense<1> : tensor<100xi32>
  %numbers = stablehlo.iota dim = 0 : tensor<200xi32>
  %1 = "stablehlo.reduce_window"(%ones, %zero) <{window_dimensions = array<i64: 100>, padding = dense<[[99, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.negate %b : tensor<i32>
    %s = stablehlo.subtract %a, %c : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<100xi32>, tensor<i32>) -> tensor<100xi32>
  %n = stablehlo.iota dim = 0 : tensor<100xi32>
  %up = stablehlo.add %n, %ones : tensor<100xi32>
  check.expect_eq %1, %up : tensor<100xi32>
  // the last of a window's 70 elements, two apart, for every third window
  %2 = "stablehlo.reduce_window"(%numbers, %zero) <{window_dimensions = array<i64: 70>, window_strides = array<i64: 3>, window_dilations = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.constant dense<0> : tensor<i32>
    %d = stablehlo.multiply %a, %c : tensor<i32>
    %s = stablehlo.add %b, %d : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<200xi32>, tensor<i32>) -> tensor<21xi32>
  %first = stablehlo.slice %2 [0:3] : (tensor<21xi32>) -> tensor<3xi32>
  check.expect_eq_const %first, dense<[138, 141, 144]> : tensor<3xi32>
  // compositions of x -> a x + b: all of 2 x + 1, modulo 2^32
  %two = stablehlo.constant dense<2> : tensor<100xi32>
  %3:2 = "stablehlo.reduce_window"(%two, %ones, %one, %zero) <{window_dimensions = array<i64: 100>, padding = dense<[[99, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %e = stablehlo.multiply %a, %c : tensor<i32>
    %f = stablehlo.multiply %b, %c : tensor<i32>
    %g = stablehlo.add %f, %d : tensor<i32>
    stablehlo.return %e, %g : tensor<i32>, tensor<i32>
  }) : (tensor<100xi32>, tensor<100xi32>, tensor<i32>, tensor<i32>) -> (tensor<100xi32>, tensor<100xi32>)
  %4 = stablehlo.subtract %3#0, %ones : tensor<100xi32>
  check.expect_eq %3#1, %4 : tensor<100xi32>
  %table = stablehlo.constant dense<1> : tensor<30x20xi32>
  %5 = "stablehlo.reduce_window"(%table, %zero) <{window_dimensions = array<i64: 9, 9>, padding = dense<4> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.negate %b : tensor<i32>
    %s = stablehlo.subtract %a, %c : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<30x20xi32>, tensor<i32>) -> tensor<30x20xi32>
  %corner = stablehlo.slice %5 [0:2, 0:5] : (tensor<30x20xi32>) -> tensor<2x5xi32>
  check.expect_eq_const %corner, dense<[[25, 30, 35, 40, 45], [30, 36, 42, 48, 54]]> : tensor<2x5xi32>
  return
}
