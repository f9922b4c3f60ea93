// Broadcasts that are reshapes or transposes become these; a broadcast of a broadcast becomes one.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x1x3xf32>, tensor<3x2xf32>, tensor<5x3x2x4xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x1x3xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2x4xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1, 2, 3] : (tensor<3x2x4xf32>) -> tensor<5x3x2x4xf32>
  return %0, %1, %3 : tensor<2x1x3xf32>, tensor<3x2xf32>, tensor<5x3x2x4xf32>
}
