// Custom calls with one tuple result, as PyTorch/XLA writes them: XLA's own names of the QR routines
// RUN: shardrun --interpret %s
func.func @main() {
  %a = stablehlo.constant dense<[[3.0, 1.0], [4.0, 2.0]]> : tensor<2x2xf64>
  %f = stablehlo.custom_call @Qr(%a) {backend_config = "", xla_shape = "(f64[2,2]{1,0}, f64[2]{0})"} : (tensor<2x2xf64>) -> tuple<tensor<2x2xf64>, tensor<2xf64>>
  %tau = stablehlo.get_tuple_element %f[1] : (tuple<tensor<2x2xf64>, tensor<2xf64>>) -> tensor<2xf64>
  %r = stablehlo.get_tuple_element %f[0] : (tuple<tensor<2x2xf64>, tensor<2xf64>>) -> tensor<2x2xf64>
  %q = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%r, %tau) : (tensor<2x2xf64>, tensor<2xf64>) -> tensor<2x2xf64>
  %diagonal = stablehlo.slice %r [0:1, 0:2] : (tensor<2x2xf64>) -> tensor<1x2xf64>
  check.expect_almost_eq_const %q, dense<[[-0.6, -0.8], [-0.8, 0.6]]> : tensor<2x2xf64>, tolerance = 1.000000e-12
  check.expect_almost_eq_const %diagonal, dense<[[-5.0, -2.2]]> : tensor<1x2xf64>, tolerance = 1.000000e-12
  return
}
