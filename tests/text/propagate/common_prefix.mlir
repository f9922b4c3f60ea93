// A longer list of axes is propagated to a tensor that has its prefix.
// RUN: shardopt %s -sdy-basic-propagate
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>

func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "z", ?}, {?}]>}, %b: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>}) -> tensor<16x8xf32> {
  %0 = stablehlo.add %a, %b : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
