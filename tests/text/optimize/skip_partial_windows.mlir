// shardrun-skip-partial-windows: windows that are partly out of bounds get indices that are out of bounds as a whole, in the type of the indices or i64;
// scatters of single elements, and constant indices in bounds, are left alone
// RUN: shardopt %s -shardrun-skip-partial-windows
func.func @vectors(%x: tensor<10x5xf32>, %i: tensor<3x2xi32>, %u: tensor<3x2xf32>) -> tensor<10x5xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<10x5xf32>, tensor<3x2xi32>, tensor<3x2xf32>) -> tensor<10x5xf32>
  return %0 : tensor<10x5xf32>
}
func.func @narrow(%x: tensor<300xf32>, %i: tensor<3xui8>, %u: tensor<3x2xf32>) -> tensor<300xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<300xf32>, tensor<3xui8>, tensor<3x2xf32>) -> tensor<300xf32>
  return %0 : tensor<300xf32>
}
func.func @elements(%x: tensor<10x5xf32>, %i: tensor<3x1xi32>, %u: tensor<3x5xf32>) -> tensor<10x5xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<10x5xf32>, tensor<3x1xi32>, tensor<3x5xf32>) -> tensor<10x5xf32>
  return %0 : tensor<10x5xf32>
}
func.func @constant(%x: tensor<10xf32>, %u: tensor<2x2xf32>) -> tensor<10xf32> {
  %i = stablehlo.constant dense<[[0], [8]]> : tensor<2x1xi32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<10xf32>, tensor<2x1xi32>, tensor<2x2xf32>) -> tensor<10xf32>
  return %0 : tensor<10xf32>
}
