// Dynamic ops whose shape is known from constants or types become static ops.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%x: tensor<4xf32>, %shape: tensor<2xi32>) -> (tensor<5x4xf32>, tensor<2x2xf32>, tensor<?x?xf32>) {
  %c = stablehlo.constant dense<[5, 4]> : tensor<2xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %shape, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<5x4xf32>
  %1 = stablehlo.dynamic_reshape %x, %shape : (tensor<4xf32>, tensor<2xi32>) -> tensor<2x2xf32>
  %2 = stablehlo.dynamic_broadcast_in_dim %x, %c, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0, %1, %2 : tensor<5x4xf32>, tensor<2x2xf32>, tensor<?x?xf32>
}
