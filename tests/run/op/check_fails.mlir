// A failing check reports its location and values
// RUN: shardrun --interpret %s
// EXIT: 1
func.func @main() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  check.expect_eq_const %x, dense<[[1, 2], [7, 5]]> : tensor<2x2xi32>
  return
}
