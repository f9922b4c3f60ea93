// Reshards between different meshes move along axes that both have in common
// RUN: shardopt %s -shardrun-lower-reshards
sdy.mesh @mesh = <["x"=4, "y"=2]>
sdy.mesh @other = <["u"=2, "v"=4]>
sdy.mesh @turned = <["u"=2, "v"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
func.func @main(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  %0 = sdy.reshard %arg0 <@other, [{"u"}, {"v"}]> : tensor<16x16xf32>
  %1 = sdy.reshard %arg0 <@other, [{"u", "v"}, {}]> : tensor<16x16xf32>
  %2 = sdy.reshard %arg0 <@turned, [{"u"}, {"v"}]> : tensor<16x16xf32>
  return %0, %1, %2 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}
func.func @sub_axes(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {"x":(2)2}]>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %arg0 <@other, [{"u"}, {"v":(1)2}]> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
