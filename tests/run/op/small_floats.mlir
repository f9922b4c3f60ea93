// cholesky and triangular_solve of bf16 and f16, and reduce_precision of f8, give the expected values
// RUN: shardrun --interpret %s
func.func @main() {
  %a = stablehlo.constant dense<[[4.0, 2.0], [2.0, 5.0]]> : tensor<2x2xbf16>
  %l = stablehlo.cholesky %a, lower = true : tensor<2x2xbf16>
  check.expect_eq_const %l, dense<[[2.0, 0.0], [1.0, 2.0]]> : tensor<2x2xbf16>
  %t = stablehlo.constant dense<[[2.0, 0.0], [1.0, 4.0]]> : tensor<2x2xf16>
  %b = stablehlo.constant dense<[[6.0], [11.0]]> : tensor<2x1xf16>
  %x = "stablehlo.triangular_solve"(%t, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf16>, tensor<2x1xf16>) -> tensor<2x1xf16>
  check.expect_eq_const %x, dense<[[3.0], [2.0]]> : tensor<2x1xf16>
  %p = stablehlo.constant dense<[1.125, 1.875, -3.25]> : tensor<3xf8E4M3FN>
  %q = stablehlo.reduce_precision %p, format = e5m1 : tensor<3xf8E4M3FN>
  %r = stablehlo.convert %q : (tensor<3xf8E4M3FN>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[1.0, 2.0, -3.0]> : tensor<3xf32>
  return
}
