// Options of upstream's form: gathers dimension by dimension, groups as mesh axes except for sub-axes, devices numbered by replica_id, reductions then sliced
// RUN: shardopt %s -sdy-convert-global-to-local="per-dim-all-gather=true enable-rgv3=true replica-count=8"
sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @main(%arg0: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b":(2)2}]>}) -> (tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}) {
  %0 = sdy.all_gather [{"a"}, {"b":(2)2}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<6x8xf32>
  %1 = sdy.reduce_scatter [{"a"}, {"b"}] %0 out_sharding=<@mesh, [{"a"}, {"b"}]> : tensor<6x8xf32>
  return %1 : tensor<6x8xf32>
}
