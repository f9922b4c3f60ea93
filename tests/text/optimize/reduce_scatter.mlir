// An all_slice of an all_reduce along its axes becomes a reduce_scatter and an all_slice along the remaining axes.
// RUN: shardopt %s -canonicalize=enable-patterns=sdy-collective
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<16x8xf32> {
  %0 = sdy.all_reduce {"x", "y"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<16x8xf32>
  %1 = sdy.all_slice [{"x", "z"}, {"y"}] %0 out_sharding=<@mesh, [{"x", "z"}, {"y"}]> : tensor<16x8xf32>
  return %1 : tensor<16x8xf32>
}
