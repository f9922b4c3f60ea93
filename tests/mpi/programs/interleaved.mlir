func.func @main(%pixels: tensor<2x2500x3xui8>, %pairs: tensor<1100x2xf64>, %rows: tensor<2500x40xf32>)
    -> (tensor<2x3x2500xf32>, tensor<2x1100xf64>, tensor<3x2500xf32>) {
  %0 = stablehlo.convert %pixels : (tensor<2x2500x3xui8>) -> tensor<2x2500x3xf32>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<2x2500x3xf32>) -> tensor<2x3x2500xf32>
  %2 = stablehlo.negate %1 : tensor<2x3x2500xf32>
  %3 = stablehlo.transpose %pairs, dims = [1, 0] : (tensor<1100x2xf64>) -> tensor<2x1100xf64>
  %4 = stablehlo.multiply %3, %3 : tensor<2x1100xf64>
  %5 = stablehlo.slice %0 [0:1, 0:2500, 0:3] : (tensor<2x2500x3xf32>) -> tensor<1x2500x3xf32>
  %6 = stablehlo.reshape %5 : (tensor<1x2500x3xf32>) -> tensor<2500x3xf32>
  %7 = stablehlo.slice %rows [0:2500, 7:10] : (tensor<2500x40xf32>) -> tensor<2500x3xf32>
  %8 = stablehlo.subtract %6, %7 : tensor<2500x3xf32>
  %9 = stablehlo.transpose %8, dims = [1, 0] : (tensor<2500x3xf32>) -> tensor<3x2500xf32>
  return %2, %4, %9 : tensor<2x3x2500xf32>, tensor<2x1100xf64>, tensor<3x2500xf32>
}
