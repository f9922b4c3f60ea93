// For a StableHLO version without batching dimensions, a gather gets iota indices for them.
// RUN: shardopt %s --stablehlo-compatibility-expander=target=1.0.0

func.func @main(%x: tensor<3x2x9xf32>, %at: tensor<3x5xi8>) -> tensor<3x5x9xf32> {
  %0 = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = true, slice_sizes = array<i64: 1, 1, 9>}> : (tensor<3x2x9xf32>, tensor<3x5xi8>) -> tensor<3x5x9xf32>
  return %0 : tensor<3x5x9xf32>
}
