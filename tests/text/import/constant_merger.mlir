// sdy-constant-or-scalar-merger merges equal constants with equal shardings.
// RUN: shardopt %s -sdy-constant-or-scalar-merger
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>

func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = sdy.constant dense<1.0> : tensor<4xf32>
  %1 = sdy.constant dense<1.0> : tensor<4xf32>
  %2 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} dense<1.0> : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
