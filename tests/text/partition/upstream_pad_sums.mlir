// Contracted dimensions get zero padding unless their padding is known to be zero; a convolution's result is sliced to its padded extents
// RUN: shardopt %s -sdy-pad-for-divisibility
sdy.mesh @mesh = <["a"=2]>
func.func @product(%arg0: tensor<3x5xf32>, %arg1: tensor<5x4xf32>) -> tensor<3x4xf32> {
  %0 = sdy.all_slice [{}, {"a"}] %arg0 out_sharding=<@mesh, [{}, {"a"}]> : tensor<3x5xf32>
  %1 = sdy.all_slice [{"a"}, {}] %arg1 out_sharding=<@mesh, [{"a"}, {}]> : tensor<5x4xf32>
  %2 = stablehlo.exponential %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"a"}]>]>} : tensor<3x5xf32>
  %3 = stablehlo.dot_general %2, %1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<3x5xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  %4 = sdy.all_reduce {"a"} %3 out_sharding=<@mesh, [{}, {}]> : tensor<3x4xf32>
  return %4 : tensor<3x4xf32>
}
func.func @convolution(%arg0: tensor<1x7x2xf32>, %arg1: tensor<3x2x4xf32>) -> tensor<1x5x4xf32> {
  %0 = sdy.all_slice [{}, {"a"}, {}] %arg0 out_sharding=<@mesh, [{}, {"a"}, {}]> : tensor<1x7x2xf32>
  %1 = stablehlo.convolution(%0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}]>]>} : (tensor<1x7x2xf32>, tensor<3x2x4xf32>) -> tensor<1x5x4xf32>
  return %1 : tensor<1x5x4xf32>
}
