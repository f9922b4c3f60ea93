// Ops selected by name are partitioned one by one, each in a manual computation; operands are padded before, results sliced after
// RUN: shardopt %s -sdy-per-instruction-partitioning='filter=reduce'

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @main(%arg0: tensor<5x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<5xf32> {
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<5x8xf32>
  %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<5x8xf32>, tensor<f32>) -> tensor<5xf32>
  return %1 : tensor<5xf32>
}
