// Ops that move elements of constants are folded.
// RUN: shardopt %s --stablehlo-aggressive-folder

func.func @main() -> (tensor<3x2xi32>, tensor<2x1xi32>, tensor<2x4xi32>, tensor<2x3xi32>, tensor<6xi32>) {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %b = stablehlo.constant dense<[[7], [8]]> : tensor<2x1xi32>
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %1 = stablehlo.slice %a [0:2, 1:3:2] : (tensor<2x3xi32>) -> tensor<2x1xi32>
  %2 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x3xi32>, tensor<2x1xi32>) -> tensor<2x4xi32>
  %3 = stablehlo.reverse %a, dims = [1] : tensor<2x3xi32>
  %4 = stablehlo.reshape %a : (tensor<2x3xi32>) -> tensor<6xi32>
  return %0, %1, %2, %3, %4 : tensor<3x2xi32>, tensor<2x1xi32>, tensor<2x4xi32>, tensor<2x3xi32>, tensor<6xi32>
}
