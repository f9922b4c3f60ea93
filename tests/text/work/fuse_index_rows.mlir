// Indices of long rows stay in a buffer, and so does the start of a slice; those of short rows are computed where they are used
// RUN: shardopt %s -shardrun-work-pipeline
func.func @main(%x: tensor<64x128xf32>, %y: tensor<64x4xf32>, %i: tensor<8xi32>, %s: tensor<1xi32>) -> (tensor<8x128xf32>, tensor<8x4xf32>, tensor<1x4xf32>) {
  %c = stablehlo.constant dense<3> : tensor<8xi32>
  %c_0 = stablehlo.constant dense<3> : tensor<1xi32>
  %0 = stablehlo.multiply %i, %c : tensor<8xi32>
  %1 = "stablehlo.gather"(%x, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 128>}> : (tensor<64x128xf32>, tensor<8xi32>) -> tensor<8x128xf32>
  %2 = stablehlo.add %i, %c : tensor<8xi32>
  %3 = "stablehlo.gather"(%y, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<64x4xf32>, tensor<8xi32>) -> tensor<8x4xf32>
  %4 = stablehlo.add %s, %c_0 : tensor<1xi32>
  %5 = "stablehlo.gather"(%y, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<64x4xf32>, tensor<1xi32>) -> tensor<1x4xf32>
  return %1, %3, %5 : tensor<8x128xf32>, tensor<8x4xf32>, tensor<1x4xf32>
}
