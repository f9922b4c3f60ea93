// Shards of 10 over 4 are 3,3,3,1, over 2 they are 5,5: the dimension is gathered completely, then sliced; those of 7 over 8 and over 4 are compatible
// RUN: shardopt %s -shardrun-lower-reshards
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @gathered(%arg0: tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) -> tensor<10xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}]> : tensor<10xf32>
  return %0 : tensor<10xf32>
}
func.func @moved(%arg0: tensor<10x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> tensor<10x8xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}, {"y"}]> : tensor<10x8xf32>
  return %0 : tensor<10x8xf32>
}
func.func @alike(%arg0: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) -> tensor<7xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"x", "y", "z"}]> : tensor<7xf32>
  return %0 : tensor<7xf32>
}
