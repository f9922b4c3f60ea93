// Operands of one loop nest that are one buffer: three components of two arrays of vectors, and the three of their cross product.
// @added_and_subtracted: the product of quaternions, whose components add some products and subtract others.
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
func.func public @added_and_subtracted(%a: tensor<500x4xf32>, %b: tensor<500x4xf32>) -> tensor<500x4xf32> {
  %a0 = stablehlo.slice %a [0:500, 0:1] : (tensor<500x4xf32>) -> tensor<500x1xf32>
  %a1 = stablehlo.slice %a [0:500, 1:2] : (tensor<500x4xf32>) -> tensor<500x1xf32>
  %a2 = stablehlo.slice %a [0:500, 2:3] : (tensor<500x4xf32>) -> tensor<500x1xf32>
  %a3 = stablehlo.slice %a [0:500, 3:4] : (tensor<500x4xf32>) -> tensor<500x1xf32>
  %b0 = stablehlo.slice %b [0:500, 0:1] : (tensor<500x4xf32>) -> tensor<500x1xf32>
  %b1 = stablehlo.slice %b [0:500, 1:2] : (tensor<500x4xf32>) -> tensor<500x1xf32>
  %b2 = stablehlo.slice %b [0:500, 2:3] : (tensor<500x4xf32>) -> tensor<500x1xf32>
  %b3 = stablehlo.slice %b [0:500, 3:4] : (tensor<500x4xf32>) -> tensor<500x1xf32>
  %0 = stablehlo.multiply %a0, %b0 : tensor<500x1xf32>
  %1 = stablehlo.multiply %a1, %b1 : tensor<500x1xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<500x1xf32>
  %3 = stablehlo.multiply %a2, %b2 : tensor<500x1xf32>
  %4 = stablehlo.subtract %2, %3 : tensor<500x1xf32>
  %5 = stablehlo.multiply %a3, %b3 : tensor<500x1xf32>
  %6 = stablehlo.subtract %4, %5 : tensor<500x1xf32>
  %7 = stablehlo.multiply %a0, %b1 : tensor<500x1xf32>
  %8 = stablehlo.multiply %a1, %b0 : tensor<500x1xf32>
  %9 = stablehlo.add %7, %8 : tensor<500x1xf32>
  %10 = stablehlo.multiply %a2, %b3 : tensor<500x1xf32>
  %11 = stablehlo.add %9, %10 : tensor<500x1xf32>
  %12 = stablehlo.multiply %a3, %b2 : tensor<500x1xf32>
  %13 = stablehlo.subtract %11, %12 : tensor<500x1xf32>
  %14 = stablehlo.multiply %a0, %b2 : tensor<500x1xf32>
  %15 = stablehlo.multiply %a1, %b3 : tensor<500x1xf32>
  %16 = stablehlo.subtract %14, %15 : tensor<500x1xf32>
  %17 = stablehlo.multiply %a2, %b0 : tensor<500x1xf32>
  %18 = stablehlo.add %16, %17 : tensor<500x1xf32>
  %19 = stablehlo.multiply %a3, %b1 : tensor<500x1xf32>
  %20 = stablehlo.add %18, %19 : tensor<500x1xf32>
  %21 = stablehlo.multiply %a0, %b3 : tensor<500x1xf32>
  %22 = stablehlo.multiply %a1, %b2 : tensor<500x1xf32>
  %23 = stablehlo.add %21, %22 : tensor<500x1xf32>
  %24 = stablehlo.multiply %a2, %b1 : tensor<500x1xf32>
  %25 = stablehlo.subtract %23, %24 : tensor<500x1xf32>
  %26 = stablehlo.multiply %a3, %b0 : tensor<500x1xf32>
  %27 = stablehlo.add %25, %26 : tensor<500x1xf32>
  %28 = stablehlo.concatenate %6, %13, %20, %27, dim = 1 : (tensor<500x1xf32>, tensor<500x1xf32>, tensor<500x1xf32>, tensor<500x1xf32>) -> tensor<500x4xf32>
  return %28 : tensor<500x4xf32>
}
