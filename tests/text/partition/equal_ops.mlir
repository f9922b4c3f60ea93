// Equal ops are merged before the partition: the sum of rows is computed and reduced over devices once.
// RUN: shardopt %s -shardrun-partition-pipeline
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<4096x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<4096x4096xf32>, tensor<f32>) -> tensor<4096xf32>
  %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<4096x4096xf32>, tensor<f32>) -> tensor<4096xf32>
  %2 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : tensor<4096xf32>
  %3 = stablehlo.exponential %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : tensor<4096xf32>
  return %2, %3 : tensor<4096xf32>, tensor<4096xf32>
}
