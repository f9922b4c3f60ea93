// A gather reads each component of its index vectors from the nest that computes it: no array of index vectors is concatenated
// RUN: shardopt %s -shardrun-work-pipeline
func.func @main(%image: tensor<64x48xf32>, %y: tensor<8x16xi32>, %x: tensor<8x16xi32>) -> tensor<8x16xf32> {
  %c = stablehlo.constant dense<3> : tensor<8x16xi32>
  %0 = stablehlo.multiply %y, %c : tensor<8x16xi32>
  %1 = stablehlo.add %x, %c : tensor<8x16xi32>
  %2 = stablehlo.reshape %0 : (tensor<8x16xi32>) -> tensor<8x16x1xi32>
  %3 = stablehlo.reshape %1 : (tensor<8x16xi32>) -> tensor<8x16x1xi32>
  %4 = stablehlo.concatenate %2, %3, dim = 2 : (tensor<8x16x1xi32>, tensor<8x16x1xi32>) -> tensor<8x16x2xi32>
  %5 = "stablehlo.gather"(%image, %4) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<64x48xf32>, tensor<8x16x2xi32>) -> tensor<8x16xf32>
  return %5 : tensor<8x16xf32>
}
