// The message about an error inside a sharding names the parameter of the sharding.
// RUN: shardopt %s
// EXIT: 1
func.func @f(%a: tensor<4x4xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}], replicated={"a", b}>]>} : tensor<4x4xf32>
  return
}
