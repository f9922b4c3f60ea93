// Equal constants with different shardings survive canonicalization, which merges equal constants
// RUN: shardopt %s -shardrun-insert-reshards -canonicalize

sdy.mesh @mesh = <["x"=2]>

func.func @main(%arg0: tensor<4x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg1: tensor<4x2xi32>) -> (tensor<4x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<4x2xi32>) {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<2xi32>) -> tensor<4x2xi32>
  %1 = stablehlo.add %arg1, %0 : tensor<4x2xi32>
  %2 = stablehlo.broadcast_in_dim %c, dims = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<2xi32>) -> tensor<4x2xi32>
  %3 = stablehlo.add %arg0, %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<4x2xi32>
  return %3, %1 : tensor<4x2xi32>, tensor<4x2xi32>
}
