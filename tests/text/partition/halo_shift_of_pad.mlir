// A pad that only removes elements of a padded value, as in gradients of pads, is treated as a slice
// RUN: shardopt %s -shardrun-emit-forms
sdy.mesh @mesh = <["x"=4]>

func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<f32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.pad %arg0, %arg1, low = [0], high = [1], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<9xf32>
  %1 = stablehlo.pad %0, %arg1, low = [-1], high = [0], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<9xf32>, tensor<f32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
