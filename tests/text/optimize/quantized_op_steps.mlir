// Quantized ops that compute become dequantize, the op on floats, quantize; ops that move elements stay quantized.
// RUN: shardopt %s --stablehlo-legalize-quantized-op-to-qdq

func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 2.0:15>>, %b: tensor<2x!quant.uniform<i8:f32, 2.0:15>>) -> (tensor<2x!quant.uniform<i8:f32, 2.0:15>>, tensor<2xi1>) {
  %0 = stablehlo.add %a, %b : tensor<2x!quant.uniform<i8:f32, 2.0:15>>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<2x!quant.uniform<i8:f32, 2.0:15>>
  %2 = stablehlo.compare LT, %a, %b : (tensor<2x!quant.uniform<i8:f32, 2.0:15>>, tensor<2x!quant.uniform<i8:f32, 2.0:15>>) -> tensor<2xi1>
  return %1, %2 : tensor<2x!quant.uniform<i8:f32, 2.0:15>>, tensor<2xi1>
}
