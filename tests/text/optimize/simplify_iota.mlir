// An iota of rank > 1 becomes a broadcast of one of rank 1; along a dimension of extent 1 it is zero.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main() -> (tensor<3x4xi32>, tensor<1x4xi32>) {
  %0 = stablehlo.iota dim = 1 : tensor<3x4xi32>
  %1 = stablehlo.iota dim = 0 : tensor<1x4xi32>
  return %0, %1 : tensor<3x4xi32>, tensor<1x4xi32>
}
