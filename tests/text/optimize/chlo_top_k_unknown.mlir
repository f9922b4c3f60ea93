// top_k of dynamic extents: the limits of the slice are computed from the extents.
// RUN: shardopt %s -chlo-legalize-to-stablehlo
func.func @f(%a: tensor<?x?xf32>) -> (tensor<?x2xf32>, tensor<?x2xi32>) {
  %0:2 = chlo.top_k(%a, k = 2) : tensor<?x?xf32> -> (tensor<?x2xf32>, tensor<?x2xi32>)
  return %0#0, %0#1 : tensor<?x2xf32>, tensor<?x2xi32>
}
