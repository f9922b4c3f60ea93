// Transposes of transposes are merged, and transposes that move no element are removed.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%x: tensor<2x3x4xf32>, %y: tensor<1x3x1xf32>) -> (tensor<4x2x3xf32>, tensor<2x3x4xf32>, tensor<3x1x1xf32>) {
  %0 = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<2x4x3xf32>) -> tensor<4x2x3xf32>
  %2 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
  %3 = stablehlo.transpose %y, dims = [1, 2, 0] : (tensor<1x3x1xf32>) -> tensor<3x1x1xf32>
  return %1, %2, %3 : tensor<4x2x3xf32>, tensor<2x3x4xf32>, tensor<3x1x1xf32>
}
