// A reverse along a sharded dimension exchanges the shards and reverses each
// RUN: shardopt %s -shardrun-emit-forms
sdy.mesh @mesh = <["x"=4]>
func.func @main(%arg0: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.reverse %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}
