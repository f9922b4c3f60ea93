// Only the dimension whose padding changes is gathered; the other keeps its sharding
// RUN: shardopt %s -shardrun-pad
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(%arg0: tensor<7x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}, {"x", "y"}]>}) -> (tensor<7x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}, {"x"}]>}) {
  %0 = sdy.all_gather [{}, {"y"}] %arg0 out_sharding=<@mesh, [{"z"}, {"x"}]> : tensor<7x10xf32>
  return %0 : tensor<7x10xf32>
}
