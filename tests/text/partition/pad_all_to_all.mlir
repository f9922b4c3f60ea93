// An all_to_all between dimensions that the shards do not divide: each is resized while it is replicated, nothing is gathered
// RUN: shardopt %s -shardrun-pad
sdy.mesh @mesh = <["x"=4]>
func.func @main(%arg0: tensor<6x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<6x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<6x10xf32>
  return %0 : tensor<6x10xf32>
}
