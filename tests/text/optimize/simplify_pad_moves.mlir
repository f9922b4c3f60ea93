// A pad with nonzero amounts stays, even if it adds no elements.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%x: tensor<3xf32>, %c: tensor<f32>) -> tensor<3xf32> {
  %0 = stablehlo.pad %x, %c, low = [-1], high = [1], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
