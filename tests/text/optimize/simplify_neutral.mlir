// An op with its identity element is replaced by the other operand; an op with an absorbing element is replaced by that element.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%x: tensor<2xi32>, %y: tensor<2xf32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xf32>, tensor<2xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<2xi32>
  %ones = stablehlo.constant dense<-1> : tensor<2xi32>
  %one = stablehlo.constant dense<1.0> : tensor<2xf32>
  %nothing = stablehlo.constant dense<0.0> : tensor<2xf32>
  %0 = stablehlo.or %zero, %x : tensor<2xi32>
  %1 = stablehlo.and %x, %ones : tensor<2xi32>
  %2 = stablehlo.multiply %zero, %x : tensor<2xi32>
  %3 = stablehlo.multiply %one, %y : tensor<2xf32>
  %4 = stablehlo.multiply %nothing, %y : tensor<2xf32>
  return %0, %1, %2, %3, %4 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xf32>, tensor<2xf32>
}
