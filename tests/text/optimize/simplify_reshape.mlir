// A reshape of a reshape becomes one reshape; a reshape back to the original type is removed.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%x: tensor<2x6xf32>) -> (tensor<3x4xf32>, tensor<2x6xf32>) {
  %0 = stablehlo.reshape %x : (tensor<2x6xf32>) -> tensor<12xf32>
  %1 = stablehlo.reshape %0 : (tensor<12xf32>) -> tensor<3x4xf32>
  %2 = stablehlo.reshape %0 : (tensor<12xf32>) -> tensor<2x6xf32>
  return %1, %2 : tensor<3x4xf32>, tensor<2x6xf32>
}
