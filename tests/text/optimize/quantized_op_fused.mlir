// The sequence dequantize, op, quantize becomes the op on quantized values, if all operands are dequantized.
// RUN: shardopt %s --stablehlo-legalize-qdq-to-quantized-op

func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 2.0:15>>, %b: tensor<2xf32>) -> (tensor<2x!quant.uniform<i8:f32, 2.0:15>>, tensor<2x!quant.uniform<i8:f32, 2.0:15>>) {
  %0 = stablehlo.uniform_dequantize %a : (tensor<2x!quant.uniform<i8:f32, 2.0:15>>) -> tensor<2xf32>
  %1 = stablehlo.add %0, %0 : tensor<2xf32>
  %2 = stablehlo.uniform_quantize %1 : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 2.0:15>>
  %3 = stablehlo.add %0, %b : tensor<2xf32>
  %4 = stablehlo.uniform_quantize %3 : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 2.0:15>>
  return %2, %4 : tensor<2x!quant.uniform<i8:f32, 2.0:15>>, tensor<2x!quant.uniform<i8:f32, 2.0:15>>
}
