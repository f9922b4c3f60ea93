// Reversed shards change places by a mesh in reverse device order; the padding of an uneven dimension is moved to the front first
// RUN: shardopt %s -sdy-resolve-permutation-factors
sdy.mesh @mesh = <["a"=4]>
sdy.mesh @mesh_reversed = <["a"=4], device_ids=[0, 3, 1, 2]>
func.func @main(%arg0: tensor<9xf32>, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> (tensor<9xf32>, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) {
  %0 = sdy.reshard %arg0 <@mesh, [{"a"}]> : tensor<9xf32>
  %1 = stablehlo.reverse %0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : tensor<9xf32>
  %2 = stablehlo.reverse %arg1, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : tensor<8xf32>
  return %1, %2 : tensor<9xf32>, tensor<8xf32>
}
