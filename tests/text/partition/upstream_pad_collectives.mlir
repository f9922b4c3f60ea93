// Values are padded before they are sliced and trimmed after they are gathered; for an all_to_all both, for a reduction neither
// RUN: shardopt %s -sdy-pad-for-divisibility
sdy.mesh @mesh = <["a"=4, "b"=2]>
func.func @main(%arg0: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %0 = sdy.all_slice [{"a"}, {}] %arg0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<5x7xf32>
  %1 = stablehlo.tanh %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : tensor<5x7xf32>
  %2 = sdy.all_to_all [{"a"}: 0->1] %1 out_sharding=<@mesh, [{}, {"a"}]> : tensor<5x7xf32>
  %3 = sdy.reduce_scatter [{"b"}, {}] %2 out_sharding=<@mesh, [{"b"}, {"a"}]> : tensor<5x7xf32>
  %4 = sdy.all_gather [{"b"}, {"a"}] %3 out_sharding=<@mesh, [{}, {}]> : tensor<5x7xf32>
  return %4 : tensor<5x7xf32>
}
