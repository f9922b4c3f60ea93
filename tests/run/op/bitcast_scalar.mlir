// bitcast_convert splits a scalar's bits into elements of a narrower type, and joins them again.
// RUN: shardrun --interpret %s
func.func @main() {
  %a = stablehlo.constant dense<0x0123456789ABCDEF> : tensor<f64>
  %o = stablehlo.optimization_barrier %a : tensor<f64>
  %bytes = stablehlo.bitcast_convert %o : (tensor<f64>) -> tensor<8xui8>
  check.expect_eq_const %bytes, dense<[239, 205, 171, 137, 103, 69, 35, 1]> : tensor<8xui8>
  %bits = stablehlo.bitcast_convert %o : (tensor<f64>) -> tensor<64xi1>
  %four = stablehlo.slice %bits [2:6] : (tensor<64xi1>) -> tensor<4xi1>
  check.expect_eq_const %four, dense<[true, true, false, true]> : tensor<4xi1>
  %back = stablehlo.bitcast_convert %bytes : (tensor<8xui8>) -> tensor<f64>
  check.expect_eq %back, %a : tensor<f64>
  return
}
