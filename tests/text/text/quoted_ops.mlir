// Ops without a custom form are printed in generic form, with discardable attributes after the regions.
// RUN: shardopt %s
func.func @f(%x: tensor<8xf32>, %i: tensor<4x1xi32>, %b: tensor<i1>) -> tensor<8xf32> {
  %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {note = [1, 2 : i32]} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "stablehlo.gather"(%0, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>} : (tensor<8xf32>, tensor<4x1xi32>) -> tensor<4xf32>
  %2 = "stablehlo.if"(%b) ({
    stablehlo.return %0 : tensor<8xf32>
  }, {
    stablehlo.return %x : tensor<8xf32>
  }) : (tensor<i1>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
