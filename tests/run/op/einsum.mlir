// einsum gives a product with a transposed result
// RUN: shardrun --interpret %s
func.func @main() {
  %a = stablehlo.constant dense<[[0.000000000e+00, 1.000000000e+00, 2.000000000e+00], [3.000000000e+00, 4.000000000e+00, 5.000000000e+00]]> : tensor<2x3xf32>
  %b = stablehlo.constant dense<[[-5.000000000e+00, -4.000000000e+00, -3.000000000e+00, -2.000000000e+00], [-1.000000000e+00, 0.000000000e+00, 1.000000000e+00, 2.000000000e+00], [3.000000000e+00, 4.000000000e+00, 5.000000000e+00, 6.000000000e+00]]> : tensor<3x4xf32>
  %r = stablehlo.einsum %a, %b, config = "ij,jk->ki" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  check.expect_eq_const %r, dense<[[5.000000000e+00, -4.000000000e+00], [8.000000000e+00, 8.000000000e+00], [1.100000000e+01, 2.000000000e+01], [1.400000000e+01, 3.200000000e+01]]> : tensor<4x2xf32>
  return
}
