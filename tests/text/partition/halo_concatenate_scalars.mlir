// Concatenation of broadcast scalars alone: every device has them, so there is no halo exchange
// RUN: shardopt %s -shardrun-search-shardings -shardrun-emit-forms
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<f32>, %arg1: tensor<f32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.broadcast_in_dim %arg1, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<f32>) -> tensor<5xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<3xf32>, tensor<5xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
