// An open sharding with unreduced axes only is not given to other members of a group.
// RUN: shardopt %s -sdy-basic-propagate
sdy.mesh @mesh = <["a"=2]>
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}], unreduced={"a"}>]>} : tensor<4xf32>
  sdy.sharding_group %arg0 group_id=0 : tensor<4xf32>
  sdy.sharding_group %0 group_id=0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}
