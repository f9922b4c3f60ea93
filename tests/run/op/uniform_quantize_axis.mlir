// uniform_quantize applies the scale of each index of an axis
// RUN: shardrun --interpret %s
func.func @main() {
  %x = stablehlo.constant dense<[[1.0, 1.0], [2.0, 2.0]]> : tensor<2x2xf32>
  %q = stablehlo.uniform_quantize %x : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32:1, {2.500000e-01:1, 5.000000e-01:-1}>>
  %b = stablehlo.bitcast_convert %q : (tensor<2x2x!quant.uniform<i8:f32:1, {2.500000e-01:1, 5.000000e-01:-1}>>) -> tensor<2x2xi8>
  check.expect_eq_const %b, dense<[[5, 1], [9, 3]]> : tensor<2x2xi8>
  return
}
