// Positions that do not fit the index type are computed in a wider type; for a type without zero the bits are summed
// RUN: shardopt %s -shardrun-emit-forms -shardrun-insert-reshards

sdy.mesh @mesh = <["x"=4]>

func.func @long(%arg0: tensor<8589934592x2xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<8x1xi32>) -> tensor<8x2xi8> {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<8589934592x2xi8>, tensor<8x1xi32>) -> tensor<8x2xi8>
  return %0 : tensor<8x2xi8>
}

func.func @scales(%arg0: tensor<1024x2xf8E8M0FNU> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<8x1xi32>) -> tensor<8x2xf8E8M0FNU> {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<1024x2xf8E8M0FNU>, tensor<8x1xi32>) -> tensor<8x2xf8E8M0FNU>
  return %0 : tensor<8x2xf8E8M0FNU>
}
