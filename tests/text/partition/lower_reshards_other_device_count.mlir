// A reshard between meshes with different numbers of devices is an error
// RUN: shardopt %s -shardrun-lower-reshards
// EXIT: 1
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=2]>
func.func @main(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %arg0 <@other, [{"x"}, {}]> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
