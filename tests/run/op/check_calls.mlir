// Checks written as custom calls; check.eq gives a predicate
// RUN: shardrun --interpret %s
func.func @main() {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = stablehlo.constant dense<[1.00005, 2.0]> : tensor<2xf32>
  stablehlo.custom_call @check.expect_almost_eq(%x, %y) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  stablehlo.custom_call @check.expect_eq(%x, %x) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  stablehlo.custom_call @check.expect_close(%x, %x) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  %p = stablehlo.custom_call @check.eq(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
  check.expect_eq_const %p, dense<true> : tensor<i1>
  return
}
