// A call whose result is its operand, with a result of another type
// RUN: shardrun --run=false %s
// EXIT: 3

func.func @main(%a: tensor<4xf32>) -> tensor<4xi32> {
  %0 = stablehlo.custom_call @LayoutConstraint(%a) : (tensor<4xf32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
