// A broadcast is folded if all elements are equal, else it stays.
// RUN: shardopt %s --stablehlo-aggressive-folder

func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a = stablehlo.constant dense<1.0> : tensor<3xf32>
  %b = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
}
