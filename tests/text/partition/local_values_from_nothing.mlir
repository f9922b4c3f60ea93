// A local iota starts at the device's offset; a splat becomes a smaller splat; other constants are sliced
// RUN: shardopt %s -shardrun-global-to-local
sdy.mesh @mesh = <["x"=2], device_ids=[1, 0]>
func.func @main() -> (tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4xi32>
  %1 = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} dense<1.0> : tensor<4xf32>
  %2 = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  return %0, %1, %2 : tensor<4xi32>, tensor<4xf32>, tensor<4xf32>
}
