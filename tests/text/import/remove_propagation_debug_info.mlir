// The attributes that record where shardings come from are removed.
// RUN: shardopt %s -sdy-remove-propagation-debug-info
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, sdy.sharding_origins = {x = "self"}}) -> tensor<8xf32> {
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, sdy.sharding_origins = [{x = "input: 0"}]} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
