// Indices of sharded dimensions are made relative to the device's shard (by a convert, also of equal types) and masked; a scatter adds its operand once
// RUN: shardopt %s -sdy-convert-global-to-local
sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @gather(%arg0: tensor<6x4x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}, {}]>}, %arg1: tensor<3x2xi32>) -> tensor<3x10xf32> {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 10>}> : (tensor<6x4x10xf32>, tensor<3x2xi32>) -> tensor<3x10xf32>
  %1 = sdy.all_reduce {"a", "b"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<3x10xf32>
  return %1 : tensor<3x10xf32>
}
func.func @gather_64(%arg0: tensor<6x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, %arg1: tensor<3xi64>) -> tensor<3x10xf32> {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 10>}> : (tensor<6x10xf32>, tensor<3xi64>) -> tensor<3x10xf32>
  %1 = sdy.all_reduce {"a"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<3x10xf32>
  return %1 : tensor<3x10xf32>
}
func.func @scatter(%arg0: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, %arg1: tensor<4x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>}, %arg2: tensor<4x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>}) -> (tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %2 = stablehlo.maximum %arg3, %arg4 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : (tensor<6x5xf32>, tensor<4x1xi32>, tensor<4x5xf32>) -> tensor<6x5xf32>
  %1 = sdy.all_reduce max {"b"} %0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<6x5xf32>
  return %1 : tensor<6x5xf32>
}
