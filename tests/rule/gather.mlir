// The rules of batching, full, sliced and collapsed dimensions of a gather
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%x: tensor<3x4x2xf32>, %i: tensor<2x3x2xi64>) -> tensor<2x3x2x2xf32> {
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2, 2>} : (tensor<3x4x2xf32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xf32>
  return %0 : tensor<2x3x2x2xf32>
}
func.func @batched(%x: tensor<5x4x6xf32>, %i: tensor<7x5x1xi64>) -> tensor<7x5x6xf32> {
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 6>} : (tensor<5x4x6xf32>, tensor<7x5x1xi64>) -> tensor<7x5x6xf32>
  return %0 : tensor<7x5x6xf32>
}
