// A scatter with sharded updates and a sharded batching dimension, which the devices do not divide, gives the values of one device
// RUN: shardrun --devices-per-rank=all %s --verify -q --output= | grep -c SUCCESS
sdy.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<4x3x8xf32>, %i: tensor<8x3x2xi32>, %b: tensor<8x4x7x3xf32>) -> tensor<4x3x8xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {"x"}, {}]> : tensor<4x3x8xf32>
  %1 = sdy.sharding_constraint %i <@mesh, [{}, {"x"}, {}]> : tensor<8x3x2xi32>
  %2 = sdy.sharding_constraint %b <@mesh, [{}, {}, {}, {"x"}]> : tensor<8x4x7x3xf32>
  %3 = "stablehlo.scatter"(%0, %1, %2) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %5 = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %5 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], input_batching_dims = [1],
    scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [0, 2], index_vector_dim = 2>} :
    (tensor<4x3x8xf32>, tensor<8x3x2xi32>, tensor<8x4x7x3xf32>) -> tensor<4x3x8xf32>
  %4 = sdy.sharding_constraint %3 <@mesh, [{}, {"x"}, {}]> : tensor<4x3x8xf32>
  return %4 : tensor<4x3x8xf32>
}
