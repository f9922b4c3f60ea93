// Sub-axes that become adjacent when an axis of size 1 is removed are merged.
// RUN: shardopt %s -sdy-remove-size-one-axes

sdy.mesh @mesh = <["a"=1, "b"=4]>
func.func @main(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(1)2, "a", "b":(2)2}]>}) -> tensor<16xf32> {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{?}], unreduced={"b":(1)2}> : tensor<16xf32>
  return %0 : tensor<16xf32>
}
