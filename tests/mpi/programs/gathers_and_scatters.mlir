// Gathers and scatters with indices sharded along their vector dimension and along their batch; the indexed dimension is sharded too.
module {
  sdy.mesh @mesh = <["a"=4, "b"=2]>
  func.func @main(%arg0: tensor<1x1200x9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}, {}]>}, %arg1: tensor<4x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"a"}]>}, %arg2: tensor<4x9xf32>) -> (tensor<4x9xf32>, tensor<1x1200x9xf32>) {
    %c = stablehlo.constant dense<397> : tensor<4x2xi32>
    %0 = stablehlo.multiply %arg1, %c : tensor<4x2xi32>
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 9>, indices_are_sorted = false}> : (tensor<1x1200x9xf32>, tensor<4x2xi32>) -> tensor<4x9xf32>
    %2 = "stablehlo.scatter"(%arg0, %0, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %3 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<1x1200x9xf32>, tensor<4x2xi32>, tensor<4x9xf32>) -> tensor<1x1200x9xf32>
    return %1, %2 : tensor<4x9xf32>, tensor<1x1200x9xf32>
  }
}
