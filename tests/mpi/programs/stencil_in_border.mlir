// A stencil of three elements of a row inside of a border of kept elements.
func.func @main(%u: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %third = stablehlo.constant dense<0.3> : tensor<62x126xf32>
  %half = stablehlo.constant dense<0.5> : tensor<62x126xf32>
  %left = stablehlo.slice %u [1:63, 0:126] : (tensor<64x128xf32>) -> tensor<62x126xf32>
  %middle = stablehlo.slice %u [1:63, 1:127] : (tensor<64x128xf32>) -> tensor<62x126xf32>
  %right = stablehlo.slice %u [1:63, 2:128] : (tensor<64x128xf32>) -> tensor<62x126xf32>
  %0 = stablehlo.multiply %left, %third : tensor<62x126xf32>
  %1 = stablehlo.multiply %middle, %half : tensor<62x126xf32>
  %2 = stablehlo.multiply %right, %third : tensor<62x126xf32>
  %3 = stablehlo.add %0, %1 : tensor<62x126xf32>
  %4 = stablehlo.add %3, %2 : tensor<62x126xf32>
  %5 = stablehlo.subtract %4, %middle : tensor<62x126xf32>
  %6 = stablehlo.multiply %5, %half : tensor<62x126xf32>
  %7 = stablehlo.add %6, %middle : tensor<62x126xf32>
  %8 = stablehlo.dynamic_update_slice %u, %7, %one, %one : (tensor<64x128xf32>, tensor<62x126xf32>, tensor<i32>, tensor<i32>) -> tensor<64x128xf32>
  return %8 : tensor<64x128xf32>
}
