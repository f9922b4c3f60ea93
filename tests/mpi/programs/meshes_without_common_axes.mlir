// A value is resharded from a mesh of 2x3 to one of 3x2 devices, which have no common sub-axes.
sdy.mesh @a = <["x"=2, "y"=3]>
sdy.mesh @b = <["u"=3, "v"=2]>
func.func @main(%arg0: tensor<7x10xi32> {sdy.sharding = #sdy.sharding<@a, [{"x"}, {"y"}]>}) -> (tensor<7x10xi32> {sdy.sharding = #sdy.sharding<@b, [{"v"}, {"u"}]>}) {
  %0 = stablehlo.negate %arg0 : tensor<7x10xi32>
  %1 = sdy.reshard %0 <@b, [{"u"}, {"v"}]> : tensor<7x10xi32>
  %2 = stablehlo.negate %1 : tensor<7x10xi32>
  return %2 : tensor<7x10xi32>
}
