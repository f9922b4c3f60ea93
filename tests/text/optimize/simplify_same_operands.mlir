// x - x and x == x are folded for integers; floats may be NaN.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%x: tensor<2xi32>, %y: tensor<2xf32>) -> (tensor<2xi32>, tensor<2xf32>, tensor<2xi1>, tensor<2xi1>) {
  %0 = stablehlo.subtract %x, %x : tensor<2xi32>
  %1 = stablehlo.subtract %y, %y : tensor<2xf32>
  %2 = stablehlo.compare GE, %x, %x : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %3 = stablehlo.compare GE, %y, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %0, %1, %2, %3 : tensor<2xi32>, tensor<2xf32>, tensor<2xi1>, tensor<2xi1>
}
