func.func @main(%x: tensor<2xf32>) {
  %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2xQUANTIZED>
  return
}
