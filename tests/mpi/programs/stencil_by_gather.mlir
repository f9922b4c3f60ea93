// x shifted by one element along a sharded dimension with a repeated border, written with clipped indices
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<64x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<64x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %one = stablehlo.constant dense<1> : tensor<64xi32>
  %last = stablehlo.constant dense<63> : tensor<64xi32>
  %i = stablehlo.iota dim = 0 : tensor<64xi32>
  %next = stablehlo.add %i, %one : tensor<64xi32>
  %clipped = stablehlo.minimum %next, %last : tensor<64xi32>
  %0 = "stablehlo.gather"(%x, %clipped) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<64x6xf32>, tensor<64xi32>) -> tensor<64x6xf32>
  return %0 : tensor<64x6xf32>
}
