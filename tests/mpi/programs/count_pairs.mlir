// For each element of x, the number of elements of y that are smaller in magnitude.
func.func @main(%x: tensor<2000xf32>, %y: tensor<1000xf32>) -> tensor<2000xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<2000xf32>) -> tensor<2000x1000xf32>
  %1 = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<1000xf32>) -> tensor<2000x1000xf32>
  %2 = stablehlo.abs %0 : tensor<2000x1000xf32>
  %3 = stablehlo.abs %1 : tensor<2000x1000xf32>
  %4 = stablehlo.compare LT, %3, %2 : (tensor<2000x1000xf32>, tensor<2000x1000xf32>) -> tensor<2000x1000xi1>
  %5 = stablehlo.convert %4 : (tensor<2000x1000xi1>) -> tensor<2000x1000xi32>
  %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2000x1000xi32>, tensor<i32>) -> tensor<2000xi32>
  return %6 : tensor<2000xi32>
}
