// The low bits of the bytes of a hex constant are the values of i4 and ui2
// RUN: shardrun --interpret %s
func.func @main() {
  %a = stablehlo.constant dense<"0x0F08FF07"> : tensor<4xi4>
  %i = stablehlo.convert %a : (tensor<4xi4>) -> tensor<4xi32>
  check.expect_eq_const %i, dense<[-1, -8, -1, 7]> : tensor<4xi32>
  %b = stablehlo.constant dense<"0xFF0106"> : tensor<3xui2>
  %u = stablehlo.convert %b : (tensor<3xui2>) -> tensor<3xi32>
  check.expect_eq_const %u, dense<[3, 1, 2]> : tensor<3xi32>
  return
}
