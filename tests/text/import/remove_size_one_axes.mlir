// Axes of size 1 are removed from shardings but not from meshes.
// RUN: shardopt %s -sdy-remove-size-one-axes
sdy.mesh @mesh = <["a"=1, "b"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}], replicated={"a"}>}) {
  return %a : tensor<8x8xf32>
}
