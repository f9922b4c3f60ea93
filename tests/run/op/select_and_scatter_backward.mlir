// The selection body of select_and_scatter may compare its arguments in either order
// RUN: shardrun --interpret %s
func.func @main() {
  %x = stablehlo.constant dense<[4, 2, 9, 9]> : tensor<4xi32>
  %s = stablehlo.constant dense<[3, 5]> : tensor<2xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %r = "stablehlo.select_and_scatter"(%x, %s, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.compare GT, %b, %a : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.maximum %a, %b : tensor<i32>
    stablehlo.return %p : tensor<i32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %r, dense<[0, 3, 0, 5]> : tensor<4xi32>
  return
}
