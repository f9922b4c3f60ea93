// debug-sharding-origins records the annotation that each axis came from: an argument, a constraint, a result, or the value itself.
// RUN: shardopt %s -sdy-apply-sharding-constraints=debug-sharding-origins=true -sdy-aggressive-propagate=debug-sharding-origins=true

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2]>

func.func @main(%arg0: tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}, {?}]>}, %arg1: tensor<8x8x8xf32>)
    -> (tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}, {"z", ?}]>}) {
  %0 = stablehlo.transpose %arg1, dims = [1, 0, 2] : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{?}, {"y":(2)2, ?}, {?}]> : tensor<8x8x8xf32>
  %2 = stablehlo.add %arg0, %1 : tensor<8x8x8xf32>
  return %2 : tensor<8x8x8xf32>
}
