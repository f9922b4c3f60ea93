// debug-propagation-edge-sharding records the op and the step of each axis: from an argument, a result and a constraint.
// RUN: shardopt %s -sdy-apply-sharding-constraints=debug-propagation-edge-sharding=true -sdy-aggressive-propagate=debug-propagation-edge-sharding=true

sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>}, %arg1: tensor<8x8xf32>)
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y":(1)2, ?}]>}) {
  %0 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  %2 = stablehlo.add %arg0, %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
