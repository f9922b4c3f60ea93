// select_and_scatter adds a source where its window has the largest element; windows overlap, padding is never selected
// RUN: shardrun --interpret %s
func.func @main() {
  %x = stablehlo.constant dense<[-3.0, -1.0, -2.0, -1.0, -5.0]> : tensor<5xf32>
  %s = stablehlo.constant dense<[1.0, 10.0, 100.0]> : tensor<3xf32>
  %z = stablehlo.constant dense<0.5> : tensor<f32>
  %r = "stablehlo.select_and_scatter"(%x, %s, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<1> : tensor<1x2xi64>} : (tensor<5xf32>, tensor<3xf32>, tensor<f32>) -> tensor<5xf32>
  check.expect_eq_const %r, dense<[0.5, 11.5, 0.5, 100.5, 0.5]> : tensor<5xf32>
  return
}
