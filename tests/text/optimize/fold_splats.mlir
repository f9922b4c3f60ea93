// Adjacent equal splats in a concatenate are merged; a slice of a splat is a splat, whatever the start of the slice.
// RUN: shardopt %s --stablehlo-aggressive-folder

func.func @main(%x: tensor<1xi32>, %at: tensor<i32>) -> (tensor<6xi32>, tensor<2xi32>) {
  %a = stablehlo.constant dense<7> : tensor<2xi32>
  %0 = stablehlo.concatenate %a, %a, %x, %x, dim = 0 : (tensor<2xi32>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<6xi32>
  %b = stablehlo.constant dense<7> : tensor<9xi32>
  %1 = stablehlo.dynamic_slice %b, %at, sizes = [2] : (tensor<9xi32>, tensor<i32>) -> tensor<2xi32>
  return %0, %1 : tensor<6xi32>, tensor<2xi32>
}
