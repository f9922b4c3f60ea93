// Each device adds interior padding to the elements that its result needs, and slices the padded value if offsets differ by device
// RUN: shardopt %s -shardrun-emit-forms
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<f32>) -> (tensor<14xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.pad %arg0, %arg1, low = [1], high = [2], interior = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<6xf32>, tensor<f32>) -> tensor<14xf32>
  return %0 : tensor<14xf32>
}
