// A closed constraint gives its operand the constraint's sharding; in a chain, later users of the input use the last constraint.
// RUN: shardopt %s -sdy-apply-sharding-constraints
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>

func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<8xf32>
  %2 = stablehlo.tanh %b : tensor<8xf32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{"x"}]> : tensor<8xf32>
  %4 = sdy.sharding_constraint %3 <@mesh, [{"y"}]> : tensor<8xf32>
  %5 = stablehlo.negate %2 : tensor<8xf32>
  return %1, %5 : tensor<8xf32>, tensor<8xf32>
}
