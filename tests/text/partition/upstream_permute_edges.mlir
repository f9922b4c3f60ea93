// Pads and slices exchange elements with neighbors: on both sides, over two hops of an uneven dimension, along a sub-axis
// RUN: shardopt %s -sdy-resolve-permutation-factors
sdy.mesh @mesh = <["a"=8, "b"=2]>
func.func @pad(%arg0: tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, %arg1: tensor<f32>) -> (tensor<24x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = stablehlo.pad %arg0, %arg1, low = [4, 1], high = [4, 1], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : (tensor<16x3xf32>, tensor<f32>) -> tensor<24x5xf32>
  return %0 : tensor<24x5xf32>
}
func.func @slice(%arg0: tensor<10x6xf32>) -> tensor<7x4xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"a":(1)4}, {}]> : tensor<10x6xf32>
  %1 = stablehlo.slice %0 [2:9, 1:5] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a":(1)4}, {}]>]>} : (tensor<10x6xf32>) -> tensor<7x4xf32>
  return %1 : tensor<7x4xf32>
}
