// Arguments are gathered on their own mesh and sliced on the result's, which lists the same devices in another order
// RUN: shardopt %s -shardrun-replicate
sdy.mesh @mesh = <["x"=2]>
sdy.mesh @back = <["x"=2], device_ids=[1, 0]>
func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@back, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.negate %arg0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}
