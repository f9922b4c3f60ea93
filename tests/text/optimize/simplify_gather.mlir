// A gather with one constant index becomes a slice.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%x: tensor<5x6x7xf32>) -> tensor<3x6xf32> {
  %at = stablehlo.constant dense<[1, 9]> : tensor<2xi32>
  %0 = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [2], start_index_map = [0, 2]>, slice_sizes = array<i64: 3, 6, 1>}> : (tensor<5x6x7xf32>, tensor<2xi32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}
