// A shape operand that contradicts the result type is an error at the call.
// RUN: shardopt %s --stablehlo-canonicalize-dynamism
// EXIT: 1

func.func @main(%x: tensor<4xf32>) -> tensor<1x2xf32> {
  %shape = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %0 = stablehlo.custom_call @f(%x, %shape) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<4xf32>, tensor<2xi64>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}
