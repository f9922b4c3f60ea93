// Other readers of a gathered value read the concatenated chunks; a product of two gathered values is chunked along one of them.
// Contracted dimensions, values with other readers than a sum, and a single row are not chunked
// RUN: shardopt %s -shardrun-collective-matmul=number=2
func.func @another_reader(%x: tensor<4x2xf32>, %w: tensor<8x5xf32>) -> (tensor<4x5xf32>, tensor<8x8xf32>) {
  %g = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<4x2xf32>) -> tensor<4x8xf32>
  %y = stablehlo.dot_general %g, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  %z = stablehlo.dot_general %g, %g, contracting_dims = [0] x [0] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %y, %z : tensor<4x5xf32>, tensor<8x8xf32>
}
func.func @two_gathered(%x: tensor<4x2xf32>, %w: tensor<2x6xf32>) -> tensor<4x6xf32> {
  %g = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<4x2xf32>) -> tensor<4x8xf32>
  %h = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x6xf32>) -> tensor<8x6xf32>
  %y = stablehlo.dot_general %g, %h, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}
func.func @as_they_are(%x: tensor<2xf32>, %w: tensor<8x5xf32>, %a: tensor<6x3xf32>, %c: tensor<1x2xf32>) -> (tensor<5xf32>, tensor<6x5xf32>, tensor<6x5xf32>, tensor<1x5xf32>) {
  %g = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<8xf32>
  %y = stablehlo.dot_general %g, %w, contracting_dims = [0] x [0] : (tensor<8xf32>, tensor<8x5xf32>) -> tensor<5xf32>
  %s = stablehlo.slice %w [0:3, 0:5] : (tensor<8x5xf32>) -> tensor<3x5xf32>
  %z = stablehlo.dot_general %a, %s, contracting_dims = [1] x [0] : (tensor<6x3xf32>, tensor<3x5xf32>) -> tensor<6x5xf32>
  %t = "stablehlo.all_reduce"(%z) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<6x5xf32>) -> tensor<6x5xf32>
  %h = "stablehlo.all_gather"(%c) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<1x2xf32>) -> tensor<1x8xf32>
  %v = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<1x8xf32>, tensor<8x5xf32>) -> tensor<1x5xf32>
  return %y, %z, %t, %v : tensor<5xf32>, tensor<6x5xf32>, tensor<6x5xf32>, tensor<1x5xf32>
}
