// Partial sums along "x" and "y" that are required sharded along "x": reduce_scatter along "x", then all_reduce of the shards along "y"
// RUN: shardopt %s -shardrun-partition
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(%arg0: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x", "y"}>}) -> (tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "z"}, {}]>}) {
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x", "y"}>]>} : tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
