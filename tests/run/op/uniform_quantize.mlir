// uniform_quantize per tensor clamps to the storage range; dequantized values, and an op on quantized values, are as expected
// RUN: shardrun --interpret %s
func.func @main() {
  %x = stablehlo.constant dense<[-1.0, 0.24, 0.26, 100.0]> : tensor<4xf32>
  %q = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>
  %d = stablehlo.uniform_dequantize %q : (tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<4xf32>
  check.expect_eq_const %d, dense<[-1.0, 0.0, 0.5, 62.0]> : tensor<4xf32>
  %s = stablehlo.add %q, %q : (tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<4x!quant.uniform<i8:f32, 1.000000e+00:0>>
  %e = stablehlo.uniform_dequantize %s : (tensor<4x!quant.uniform<i8:f32, 1.000000e+00:0>>) -> tensor<4xf32>
  check.expect_eq_const %e, dense<[-2.0, 0.0, 1.0, 124.0]> : tensor<4xf32>
  return
}
