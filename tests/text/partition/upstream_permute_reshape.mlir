// An uneven dimension that is split into two exchanges elements with neighbors; when the two are merged again the dimension is replicated
// RUN: shardopt %s -sdy-resolve-permutation-factors
sdy.mesh @mesh = <["a"=2, "b"=2], device_ids=[1, 0, 3, 2]>
func.func @main(%arg0: tensor<6xf32>) -> tensor<6xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"a", "b"}]> : tensor<6xf32>
  %1 = stablehlo.reshape %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {"b"}]>]>} : (tensor<6xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.reshape %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", "b"}]>]>} : (tensor<2x3xf32>) -> tensor<6xf32>
  return %2 : tensor<6xf32>
}
