// A gather of single elements of a transposed tensor reads the tensor before the transpose; one whose last loop reads rows of the
// transposed tensor reads those.
// RUN: shardopt %s -shardrun-lower-to-work
func.func @main(%x: tensor<2x8x16x24xf32>, %i: tensor<40x2xi32>, %j: tensor<5xi32>) -> (tensor<2x3x4x8x40xf32>, tensor<5x2x16x8xf32>) {
  %0 = stablehlo.transpose %x, dims = [0, 3, 2, 1] : (tensor<2x8x16x24xf32>) -> tensor<2x24x16x8xf32>
  %1 = "stablehlo.gather"(%0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2, 3], start_index_map = [1, 2], index_vector_dim = 1>, slice_sizes = array<i64: 2, 3, 4, 8>}> : (tensor<2x24x16x8xf32>, tensor<40x2xi32>) -> tensor<2x3x4x8x40xf32>
  %2 = "stablehlo.gather"(%0, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 1, 16, 8>}> : (tensor<2x24x16x8xf32>, tensor<5xi32>) -> tensor<5x2x16x8xf32>
  return %1, %2 : tensor<2x3x4x8x40xf32>, tensor<5x2x16x8xf32>
}
