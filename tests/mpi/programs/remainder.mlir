func.func @main(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %y = stablehlo.constant dense<6.5> : tensor<4096xf32>
  %0 = stablehlo.multiply %x, %x : tensor<4096xf32>
  %1 = stablehlo.remainder %0, %y : tensor<4096xf32>
  return %1 : tensor<4096xf32>
}
