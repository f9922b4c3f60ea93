// Small windows of stride 1: padded sum, dilated maximum with an initial value, periodic sum, product of fewer rows
// RUN: shardrun --interpret %s --input="9x6xf32=8 2 3 7 1 4 6 -5 -9 -4 -4 6 7 -9 -1 5 -7 5 -7 -1 5 -4 -3 -4 3 -5 8 -1 -1 0 1 0 0 8 5 5 3 2 -3 8 -1 -6 6 -7 6 2 -7 -9 -1 -9 -7 0 8 -1" --expected-output="9x6xf32=11 5 -6 -6 10 7 9 2 -11 -9 13 5 -9 -14 -23 -22 -10 -7 -12 0 -3 1 -10 -10 -9 4 10 17 5 2 4 9 17 23 17 2 5 8 16 18 5 -13 -6 -10 -8 6 -6 -16 -11 -12 -15 2 -7 -9" --expected-output="9x6xf32=8 3 8 7 3 7 6 3 6 3 5 6 7 3 8 5 8 5 3 3 5 8 5 8 3 3 8 8 8 8 6 3 6 8 6 8 3 3 3 8 8 8 6 3 6 3 6 3 3 3 3 3 8 3" --expected-output="9x6xf32=14 -11 -12 4 6 10 22 -11 -6 9 -9 16 7 -14 -4 -2 -13 8 4 -14 13 1 -10 2 -2 -5 14 4 2 2 8 -2 6 16 4 0 11 -4 4 19 -2 -9 9 -13 -3 11 1 -15 14 -13 3 10 3 -5" --expected-output="7x3xf32=-48 40 -108 70 126 -10 56 6 -40 -6 10 0 16 0 0 48 -4 36 24 98 -108" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%x: tensor<9x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<9x6xf32>, tensor<9x6xf32>, tensor<9x6xf32>, tensor<7x3xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %three = stablehlo.constant dense<3.0> : tensor<f32>
  %first = stablehlo.slice %x [0:1, 0:6] : (tensor<9x6xf32>) -> tensor<1x6xf32>
  %last = stablehlo.slice %x [8:9, 0:6] : (tensor<9x6xf32>) -> tensor<1x6xf32>
  %p = stablehlo.concatenate %last, %x, %first, dim = 0 : (tensor<1x6xf32>, tensor<9x6xf32>, tensor<1x6xf32>) -> tensor<11x6xf32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{padding = dense<1> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<9x6xf32>, tensor<f32>) -> tensor<9x6xf32>
  %1 = "stablehlo.reduce_window"(%x, %three) <{padding = dense<[[0, 2], [2, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 2, 2>, window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<9x6xf32>, tensor<f32>) -> tensor<9x6xf32>
  %2 = "stablehlo.reduce_window"(%p, %one) <{window_dimensions = array<i64: 3, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<11x6xf32>, tensor<f32>) -> tensor<9x6xf32>
  %3 = "stablehlo.reduce_window"(%x, %two) <{padding = dense<[[-1, -1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 3>, window_dimensions = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<9x6xf32>, tensor<f32>) -> tensor<7x3xf32>
  return %0, %1, %2, %3 : tensor<9x6xf32>, tensor<9x6xf32>, tensor<9x6xf32>, tensor<7x3xf32>
}
