// sdy-constant-or-scalar-splitter gives each user of a constant expression its own copy; scalars are shared.
// RUN: shardopt %s -sdy-constant-or-scalar-splitter
func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %s = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %1 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<4xf32>
  %3 = stablehlo.add %2, %a : tensor<4xf32>
  %4 = stablehlo.subtract %2, %a : tensor<4xf32>
  return %3, %4 : tensor<4xf32>, tensor<4xf32>
}
