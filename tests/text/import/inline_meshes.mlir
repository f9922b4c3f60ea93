// sdy-inline-meshes replaces mesh names in shardings by the meshes.
// RUN: shardopt %s -sdy-inline-meshes
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
