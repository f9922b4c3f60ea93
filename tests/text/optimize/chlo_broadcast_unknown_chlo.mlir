// A chlo op that a broadcast leaves inside shape.assuming is rewritten too.
// RUN: shardopt %s -chlo-legalize-to-stablehlo | grep -c chlo
// EXIT: 1
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = chlo.broadcast_zeta %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
