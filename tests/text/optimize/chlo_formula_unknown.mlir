// Constants in a formula have the shape of its operand, static or dynamic.
// RUN: shardopt %s -chlo-legalize-to-stablehlo
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = chlo.atan %a : tensor<?xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
