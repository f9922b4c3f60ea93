// A dimension indexed by an iota becomes a batching dimension.
// RUN: shardopt %s -sdy-explicit-gather-scatter-batching
func.func @main(%x: tensor<4x8xf32>, %i: tensor<4x1xi32>) -> tensor<4xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<4x1xi32>
  %1 = stablehlo.concatenate %0, %i, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  %2 = "stablehlo.gather"(%x, %1) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>} : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
// The other components are sliced from operands of the concatenation that have several.
func.func @two_others(%x: tensor<4x8x6xf32>, %i: tensor<4x2xi32>) -> tensor<4xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<4x1xi32>
  %1 = stablehlo.concatenate %0, %i, dim = 1 : (tensor<4x1xi32>, tensor<4x2xi32>) -> tensor<4x3xi32>
  %2 = "stablehlo.gather"(%x, %1) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [0, 1, 2], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>} : (tensor<4x8x6xf32>, tensor<4x3xi32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
