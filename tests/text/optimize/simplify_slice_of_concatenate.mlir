// A slice of a concatenate uses only the operands that it touches.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%a: tensor<2xf32>, %b: tensor<3xf32>, %c: tensor<4xf32>) -> (tensor<2xf32>, tensor<3xf32>) {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  %1 = stablehlo.slice %0 [3:5] : (tensor<5xf32>) -> tensor<2xf32>
  %2 = stablehlo.concatenate %a, %b, %c, dim = 0 : (tensor<2xf32>, tensor<3xf32>, tensor<4xf32>) -> tensor<9xf32>
  %3 = stablehlo.slice %2 [4:9:2] : (tensor<9xf32>) -> tensor<3xf32>
  return %1, %3 : tensor<2xf32>, tensor<3xf32>
}
