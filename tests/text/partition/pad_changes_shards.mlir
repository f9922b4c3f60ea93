// Shards of 10 over 4 are 3,3,3,1, over 2 they are 5,5: the number of shards is changed by replicating the value
// RUN: shardopt %s -shardrun-pad
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%arg0: tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) -> (tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = sdy.all_gather [{"y"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<10xf32>
  return %0 : tensor<10xf32>
}
