// Axes of size 2 of a 2x3 mesh and of size 3 of a 3x2 mesh have no common sub-axes: values are gathered and sliced, with a warning
// RUN: shardopt %s -shardrun-lower-reshards
sdy.mesh @mesh = <["x"=2, "y"=3]>
sdy.mesh @other = <["u"=3, "v"=2]>
func.func @main(%arg0: tensor<12x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<12x12xf32> {
  %0 = sdy.reshard %arg0 <@other, [{"u"}, {}]> : tensor<12x12xf32>
  return %0 : tensor<12x12xf32>
}
