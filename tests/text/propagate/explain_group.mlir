// --explain: a member of a sharding group has another member's sharding, or that member's annotation.
// RUN: shardopt %s -sdy-propagation-pipeline --explain=negate

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>}, %arg1: tensor<8x8xf32>,
    %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", ?}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  sdy.sharding_group %arg0 group_id = 3 : tensor<8x8xf32>
  sdy.sharding_group %arg1 group_id = 3 : tensor<8x8xf32>
  %0 = stablehlo.add %arg0, %arg2 : tensor<8x8xf32>
  %1 = stablehlo.negate %arg1 : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}
