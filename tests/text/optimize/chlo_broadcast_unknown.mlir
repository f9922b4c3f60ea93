// A broadcast of dynamic shapes assumes that they are compatible; constants of the static shapes precede the other shape ops.
// RUN: shardopt %s -chlo-legalize-to-stablehlo
func.func @f(%p: tensor<1xi1>, %a: tensor<2x?xf32>, %b: tensor<2x8xf32>) -> tensor<2x?xf32> {
  %0 = chlo.broadcast_select %p, %a, %b : (tensor<1xi1>, tensor<2x?xf32>, tensor<2x8xf32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}
