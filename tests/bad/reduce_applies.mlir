// The short form of reduce with an op that is not commutative, or not of two operands, is refused.
// RUN: shardopt %s
// EXIT: 1
func.func @f(%a: tensor<4xf32>, %b: tensor<f32>) {
  %0 = stablehlo.reduce(%a init: %b) applies stablehlo.subtract across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}
