// 2 of 2x3 and 3 of 3x2 have no common axes: gathered and sliced, with a warning
// RUN: shardopt %s -shardrun-lower-reshards
sdy.mesh @mesh = <["x"=2, "y"=3]>
sdy.mesh @other = <["u"=3, "v"=2]>
func.func @main(%arg0: tensor<12x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<12x12xf32> {
  %0 = sdy.reshard %arg0 <@other, [{"u"}, {}]> : tensor<12x12xf32>
  return %0 : tensor<12x12xf32>
}
