// Concatenates along the same dimension are merged; operands without elements are removed.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%a: tensor<2xf32>, %b: tensor<3xf32>, %none: tensor<0xf32>) -> tensor<7xf32> {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  %1 = stablehlo.concatenate %0, %none, %a, dim = 0 : (tensor<5xf32>, tensor<0xf32>, tensor<2xf32>) -> tensor<7xf32>
  return %1 : tensor<7xf32>
}
