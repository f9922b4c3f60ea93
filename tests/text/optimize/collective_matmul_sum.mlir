// A product that is summed over devices is summed in chunks along a dimension that is not scattered.
// If there is no such dimension, the chunks are of each device's block
// RUN: shardopt %s -shardrun-collective-matmul=number=2
func.func @left_whole(%x: tensor<6x8xf32>, %w: tensor<8x5xf32>) -> tensor<6x5xf32> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x5xf32>) -> tensor<6x5xf32>
  %z = "stablehlo.all_reduce"(%y) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<6x5xf32>) -> tensor<6x5xf32>
  return %z : tensor<6x5xf32>
}
func.func @rows_scattered(%x: tensor<8x3xf32>, %w: tensor<3x5xf32>) -> tensor<2x5xf32> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x3xf32>, tensor<3x5xf32>) -> tensor<8x5xf32>
  %z = "stablehlo.reduce_scatter"(%y) <{scatter_dimension = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8x5xf32>) -> tensor<2x5xf32>
  return %z : tensor<2x5xf32>
}
func.func @one_dimension(%x: tensor<12x3xf32>, %w: tensor<3xf32>) -> tensor<3xf32> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<12x3xf32>, tensor<3xf32>) -> tensor<12xf32>
  %z = "stablehlo.reduce_scatter"(%y) <{scatter_dimension = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<12xf32>) -> tensor<3xf32>
  return %z : tensor<3xf32>
}
