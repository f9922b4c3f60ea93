// A value made unreduced: the first device has the value and the others zeros, or each device has its shard among zeros
// RUN: shardopt %s -shardrun-global-to-local
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg1: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<4xf32>, tensor<4x4xf32>) {
  %0 = sdy.replicated_to_unreduced {"y"} %arg0 out_sharding=<@mesh, [{}], unreduced={"y"}> : tensor<4xf32>
  %1 = sdy.sharded_to_unreduced [{"x"}, {"y"}] %arg1 out_sharding=<@mesh, [{}, {}], unreduced={"x", "y"}> : tensor<4x4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4x4xf32>
}
