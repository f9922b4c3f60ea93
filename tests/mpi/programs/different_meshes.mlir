// Values on three meshes of the same devices, with even and uneven shards, and ops whose operands are on two of the meshes.
sdy.mesh @a = <["x"=4, "y"=2]>
sdy.mesh @b = <["u"=2, "v"=4]>
sdy.mesh @c = <["w"=8], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
func.func @main(%arg0: tensor<16x10xi32> {sdy.sharding = #sdy.sharding<@a, [{"x"}, {"y"}]>}, %arg1: tensor<16x10xi32> {sdy.sharding = #sdy.sharding<@b, [{"v"}, {"u"}]>})
    -> (tensor<16x10xi32> {sdy.sharding = #sdy.sharding<@c, [{}, {"w"}]>}, tensor<16x10xi32> {sdy.sharding = #sdy.sharding<@b, [{"u"}, {"v"}]>}, tensor<16xi32> {sdy.sharding = #sdy.sharding<@a, [{"y"}]>}) {
  %0 = stablehlo.add %arg0, %arg1 : tensor<16x10xi32>
  %1 = sdy.reshard %arg0 <@b, [{"u"}, {"v"}]> : tensor<16x10xi32>
  %2 = stablehlo.negate %1 : tensor<16x10xi32>
  %3 = sdy.reshard %arg1 <@c, [{"w"}, {}]> : tensor<16x10xi32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %4 = stablehlo.reduce(%3 init: %c) applies stablehlo.add across dimensions = [1] : (tensor<16x10xi32>, tensor<i32>) -> tensor<16xi32>
  return %0, %2, %4 : tensor<16x10xi32>, tensor<16x10xi32>, tensor<16xi32>
}
