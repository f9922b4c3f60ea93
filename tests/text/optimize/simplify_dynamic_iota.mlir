// A dynamic_iota becomes a broadcast of a dynamic_iota of rank 1.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%a: tensor<2xi32>, %b: tensor<2xindex>) -> (tensor<5x?xi32>, tensor<5x?xi32>, tensor<?x5xi32>) {
  %0 = stablehlo.dynamic_iota %a, dim = 0 : (tensor<2xi32>) -> tensor<5x?xi32>
  %1 = stablehlo.dynamic_iota %a, dim = 1 : (tensor<2xi32>) -> tensor<5x?xi32>
  %2 = stablehlo.dynamic_iota %b, dim = 0 : (tensor<2xindex>) -> tensor<?x5xi32>
  return %0, %1, %2 : tensor<5x?xi32>, tensor<5x?xi32>, tensor<?x5xi32>
}
