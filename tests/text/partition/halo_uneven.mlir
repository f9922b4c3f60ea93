// Halo exchange along dimensions that the shards do not divide: the last shards end in padding, which is never read
// RUN: shardopt %s -shardrun-emit-forms
sdy.mesh @mesh = <["x"=4]>

func.func @main(%arg0: tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.slice %arg0 [9:10] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<10xf32>) -> tensor<1xf32>
  %1 = stablehlo.slice %arg0 [0:9] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<10xf32>) -> tensor<9xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<1xf32>, tensor<9xf32>) -> tensor<10xf32>
  return %2 : tensor<10xf32>
}
