// get_tuple_element returns the element that the tuple was made of, also in nested tuples
// RUN: shardrun --interpret %s
func.func @main() {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %n = stablehlo.constant dense<3> : tensor<i64>
  %t = stablehlo.tuple %n : tuple<tensor<i64>>
  %u = stablehlo.tuple %x, %t : tuple<tensor<2xf32>, tuple<tensor<i64>>>
  %a = stablehlo.get_tuple_element %u[1] : (tuple<tensor<2xf32>, tuple<tensor<i64>>>) -> tuple<tensor<i64>>
  %b = stablehlo.get_tuple_element %a[0] : (tuple<tensor<i64>>) -> tensor<i64>
  %c = stablehlo.get_tuple_element %u[0] : (tuple<tensor<2xf32>, tuple<tensor<i64>>>) -> tensor<2xf32>
  check.expect_eq_const %b, dense<3> : tensor<i64>
  check.expect_eq_const %c, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}
