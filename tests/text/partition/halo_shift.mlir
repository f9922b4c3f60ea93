// A slice of a padded value along a sharded dimension: boundary elements go to the neighbors, and the last device takes the padding
// RUN: shardopt %s -shardrun-emit-forms
sdy.mesh @mesh = <["x"=4]>

func.func @main(%arg0: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<f32>) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.pad %arg0, %arg1, low = [1, 1], high = [1, 1], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x3xf32>, tensor<f32>) -> tensor<10x5xf32>
  %1 = stablehlo.slice %0 [2:10, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<10x5xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
