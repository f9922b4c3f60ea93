// A CHLO broadcast with dimensions other than NumPy's is not rewritten
// RUN: shardopt %s -chlo-legalize-to-stablehlo
// EXIT: 1
func.func @f(%a: tensor<4x?xf32>, %b: tensor<4xf32>) -> tensor<4x?xf32> {
  %0 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 0>} : (tensor<4x?xf32>, tensor<4xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}
