// A comparison of an i1 with a constant is simplified.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%p: tensor<2xi1>) -> (tensor<2xi1>, tensor<2xi1>, tensor<2xi1>) {
  %true = stablehlo.constant dense<true> : tensor<2xi1>
  %false = stablehlo.constant dense<false> : tensor<2xi1>
  %0 = stablehlo.compare EQ, %p, %true : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  %1 = stablehlo.compare NE, %p, %false : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  %2 = stablehlo.compare EQ, %p, %false : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return %0, %1, %2 : tensor<2xi1>, tensor<2xi1>, tensor<2xi1>
}
