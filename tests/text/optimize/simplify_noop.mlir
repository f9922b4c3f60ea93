// Ops whose result equals their operand are removed
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%x: tensor<1x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.slice %x [0:1, 0:3] : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %1 = stablehlo.pad %x, %c, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<1x3xf32>, tensor<f32>) -> tensor<1x3xf32>
  %2 = stablehlo.reverse %x, dims = [0] : tensor<1x3xf32>
  %3 = stablehlo.convert %x : tensor<1x3xf32>
  %4 = stablehlo.concatenate %x, dim = 0 : (tensor<1x3xf32>) -> tensor<1x3xf32>
  return %0, %1, %2, %3, %4 : tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>
}
