// The elements of a small window are combined in order, after the initial value: large terms that cancel show the order by rounding
// RUN: shardrun --interpret %s
func.func @main() {
  %x = stablehlo.constant dense<[[1.0, 1.0e8, -1.0e8, 3.0], [2.0, 1.0e8, -1.0e8, 1.0]]> : tensor<2x4xf32>
  %o = stablehlo.optimization_barrier %x : tensor<2x4xf32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%o, %one) <{window_dimensions = array<i64: 1, 4>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x1xf32>
  check.expect_eq_const %r, dense<[[3.0], [1.0]]> : tensor<2x1xf32>
  return
}
