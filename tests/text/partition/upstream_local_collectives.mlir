// One collective for several dimensions, in upstream's form: along a new leading dimension, then transposed into place
// RUN: shardopt %s -sdy-convert-global-to-local=combine-multi-dimension-reduce-scatter=true
sdy.mesh @mesh = <["a"=2, "b"=3]>
func.func @gather(%arg0: tensor<6x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}) -> tensor<6x12xf32> {
  %0 = sdy.all_gather [{"a"}, {"b"}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<6x12xf32>
  return %0 : tensor<6x12xf32>
}
func.func @exchange(%arg0: tensor<6x2x12x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"a"}, {}, {}]>}) -> (tensor<6x2x12x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"b"}, {"a"}]>}) {
  %0 = sdy.all_to_all [{"b"}: 0->2, {"a"}: 1->3] %arg0 out_sharding=<@mesh, [{}, {}, {"b"}, {"a"}]> : tensor<6x2x12x4xf32>
  return %0 : tensor<6x2x12x4xf32>
}
func.func @scatter(%arg0: tensor<4x5x6xf32>) -> (tensor<4x5x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}, {"b"}]>}) {
  %0 = sdy.reduce_scatter max [{"a"}, {}, {"b"}] %arg0 out_sharding=<@mesh, [{"a"}, {}, {"b"}]> : tensor<4x5x6xf32>
  return %0 : tensor<4x5x6xf32>
}
