// Layers with gathers and reductions between them are executed chunk by chunk.
// A gather, a product, elementwise ops with operands chunked alike, a product, a reduce_scatter that leaves each device the chunks of its block, the next gather
// RUN: shardopt %s -shardrun-collective-matmul=number=2
func.func @main(%x: tensor<4x8xf32>, %w0: tensor<8x3xf32>, %b: tensor<16x3xf32>, %w1: tensor<3x8xf32>) -> tensor<16x3xf32> {
  %g = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<16x8xf32>
  %0 = stablehlo.dot_general %g, %w0, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x3xf32>) -> tensor<16x3xf32>
  %1 = stablehlo.add %0, %b : tensor<16x3xf32>
  %2 = stablehlo.tanh %1 : tensor<16x3xf32>
  %3 = stablehlo.dot_general %2, %w1, contracting_dims = [1] x [0] : (tensor<16x3xf32>, tensor<3x8xf32>) -> tensor<16x8xf32>
  %4 = "stablehlo.reduce_scatter"(%3) <{scatter_dimension = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x8xf32>) -> tensor<4x8xf32>
  %5 = "stablehlo.all_gather"(%4) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<16x8xf32>
  %6 = stablehlo.dot_general %5, %w0, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x3xf32>) -> tensor<16x3xf32>
  %7 = stablehlo.negate %6 : tensor<16x3xf32>
  return %7 : tensor<16x3xf32>
}
