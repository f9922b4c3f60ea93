// A CHLO broadcast with other dimensions than NumPy's is refused, since it has no lowering.
// RUN: shardopt %s -chlo-legalize-to-stablehlo
// EXIT: 1
func.func @f(%a: tensor<4x?xf32>, %b: tensor<4xf32>) -> tensor<4x?xf32> {
  %0 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 0>} : (tensor<4x?xf32>, tensor<4xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}
