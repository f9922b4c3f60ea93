// Values that depend on the device's coordinates: an iota, a constant, a pad with unequal offsets, and a slice without communication
// RUN: shardopt %s -sdy-convert-global-to-local
sdy.mesh @mesh = <["a"=2]>
func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}, %arg1: tensor<f32>) -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}, tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}, tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}, tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) {
  %0 = stablehlo.pad %arg0, %arg1, low = [1], high = [1], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
  %1 = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : tensor<4xi32>
  %2 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} dense<[4, 3, 2, 1]> : tensor<4xi32>
  %3 = stablehlo.pad %arg0, %arg1, low = [0], high = [1], interior = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  %4 = stablehlo.slice %arg0 [0:4:2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : (tensor<4xf32>) -> tensor<2xf32>
  return %0, %1, %2, %3, %4 : tensor<6xf32>, tensor<4xi32>, tensor<4xi32>, tensor<8xf32>, tensor<2xf32>
}
