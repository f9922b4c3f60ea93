// An axis whose sub-axis shards one dimension of a product's operand is not used for another dimension. The program has more ops
// than exhaustive search takes, so that axes are added to factors.
// RUN: shardopt %s -shardrun-search-shardings
sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @main(%arg0: tensor<1024x1xf32>) -> tensor<1xf32> {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b":(1)2}, {}]>]>} : (tensor<1024x1xf32>) -> tensor<1024x1024xf32>
  %1 = stablehlo.tanh %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b":(1)2}, {}]>]>} : tensor<1024x1024xf32>
  %2 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b":(1)2}, {}]>]>} : tensor<1024x1024xf32>
  %3 = stablehlo.exponential %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b":(1)2}, {}]>]>} : tensor<1024x1024xf32>
  %4 = stablehlo.reshape %3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b":(1)2}, {}, {}]>]>} : (tensor<1024x1024xf32>) -> tensor<1024x1x1024xf32>
  %5 = stablehlo.dot_general %1, %4, contracting_dims = [1, 0] x [0, 2] : (tensor<1024x1024xf32>, tensor<1024x1x1024xf32>) -> tensor<1xf32>
  return %5 : tensor<1xf32>
}
