// Inline meshes become mesh ops; equal meshes are merged.
// RUN: shardopt %s -sdy-lift-inlined-meshes
sdy.mesh @m = <["x"=4]>
sdy.mesh @same = <["x"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@same, [{"x"}]>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["y"=2]>, [{"y"}]>}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
