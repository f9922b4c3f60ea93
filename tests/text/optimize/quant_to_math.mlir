// A quantized add becomes an add of expressed values, quantized to stored integers.
// RUN: shardopt %s -stablehlo-legalize-quant-to-math
func.func @main(%x: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %y: tensor<2x!quant.uniform<i8:f32, 0.25:1>>) -> tensor<2x!quant.uniform<i8:f32, 1.0:0>> {
  %0 = stablehlo.add %x, %y : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i8:f32, 0.25:1>>) -> tensor<2x!quant.uniform<i8:f32, 1.0:0>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 1.0:0>>
}
