// A custom call @mhlo.NAME is executed as the op NAME
// RUN: shardrun --interpret %s
func.func @main() {
  %x = stablehlo.constant dense<[0.0, 0.5, -2.0]> : tensor<3xf32>
  %e = stablehlo.custom_call @mhlo.erf(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  check.expect_almost_eq_const %e, dense<[0.0, 0.52049988, -0.99532227]> : tensor<3xf32>, tolerance = 1.000000e-05
  %t:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<3xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  check.expect_eq_const %t#0, dense<[0.5, 0.0]> : tensor<2xf32>
  check.expect_eq_const %t#1, dense<[1, 0]> : tensor<2xi32>
  return
}
