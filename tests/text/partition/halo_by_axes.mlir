// On meshes with too many devices to list, a shift's source-target pairs are written as a step along axes
// RUN: shardopt %s -shardrun-emit-forms=max-listed-devices=1
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %c = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>]>} dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %arg0, %c, low = [1], high = [0], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<9xf32>
  %1 = stablehlo.slice %0 [0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<9xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
