// A permute to equal shards on other devices: devices that have their shard already keep it
// RUN: shardopt %s -shardrun-global-to-local
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}]>}) {
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"y", "x"}]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
