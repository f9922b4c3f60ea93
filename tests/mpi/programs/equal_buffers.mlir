// Operands of one loop nest that are one buffer: three components of two arrays of vectors, and the three of their cross product.
// @distinct and @equal have equal loop nests, but @equal reads both operands from one buffer.
func.func public @main(%a: tensor<500x3xf32>, %b: tensor<500x3xf32>) -> tensor<500x3xf32> {
  %a0 = stablehlo.slice %a [0:500, 0:1] : (tensor<500x3xf32>) -> tensor<500x1xf32>
  %a1 = stablehlo.slice %a [0:500, 1:2] : (tensor<500x3xf32>) -> tensor<500x1xf32>
  %a2 = stablehlo.slice %a [0:500, 2:3] : (tensor<500x3xf32>) -> tensor<500x1xf32>
  %b0 = stablehlo.slice %b [0:500, 0:1] : (tensor<500x3xf32>) -> tensor<500x1xf32>
  %b1 = stablehlo.slice %b [0:500, 1:2] : (tensor<500x3xf32>) -> tensor<500x1xf32>
  %b2 = stablehlo.slice %b [0:500, 2:3] : (tensor<500x3xf32>) -> tensor<500x1xf32>
  %0 = stablehlo.multiply %a1, %b2 : tensor<500x1xf32>
  %1 = stablehlo.multiply %a2, %b1 : tensor<500x1xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<500x1xf32>
  %3 = stablehlo.multiply %a2, %b0 : tensor<500x1xf32>
  %4 = stablehlo.multiply %a0, %b2 : tensor<500x1xf32>
  %5 = stablehlo.subtract %3, %4 : tensor<500x1xf32>
  %6 = stablehlo.multiply %a0, %b1 : tensor<500x1xf32>
  %7 = stablehlo.multiply %a1, %b0 : tensor<500x1xf32>
  %8 = stablehlo.subtract %6, %7 : tensor<500x1xf32>
  %9 = stablehlo.concatenate %2, %5, %8, dim = 1 : (tensor<500x1xf32>, tensor<500x1xf32>, tensor<500x1xf32>) -> tensor<500x3xf32>
  return %9 : tensor<500x3xf32>
}
func.func public @distinct(%a: tensor<500x3xf32>, %b: tensor<500x3xf32>) -> tensor<500x1xf32> {
  %0 = stablehlo.slice %a [0:500, 0:1] : (tensor<500x3xf32>) -> tensor<500x1xf32>
  %1 = stablehlo.slice %b [0:500, 1:2] : (tensor<500x3xf32>) -> tensor<500x1xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<500x1xf32>
  return %2 : tensor<500x1xf32>
}
func.func public @equal(%a: tensor<500x3xf32>, %b: tensor<500x3xf32>) -> tensor<500x1xf32> {
  %0 = stablehlo.slice %a [0:500, 0:1] : (tensor<500x3xf32>) -> tensor<500x1xf32>
  %1 = stablehlo.slice %a [0:500, 1:2] : (tensor<500x3xf32>) -> tensor<500x1xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<500x1xf32>
  return %2 : tensor<500x1xf32>
}
