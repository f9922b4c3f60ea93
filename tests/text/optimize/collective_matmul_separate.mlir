// Values that are not chunked along with others: a scalar operand; an operand computed only after the chunks, whose readers stay in place;
// a sum that scatters other blocks than were gathered, where blocks of both have one row; a product's other operand; a gather of several values
// RUN: shardopt %s -shardrun-collective-matmul=number=2
func.func @scalar(%x: tensor<4x2xf32>, %w: tensor<8x6xf32>, %p: tensor<i1>, %z: tensor<4x6xf32>, %v: tensor<6x3xf32>) -> tensor<4x3xf32> {
  %g = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<4x2xf32>) -> tensor<4x8xf32>
  %0 = stablehlo.dot_general %g, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.select %p, %0, %z : tensor<i1>, tensor<4x6xf32>
  %2 = stablehlo.dot_general %1, %v, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x3xf32>) -> tensor<4x3xf32>
  return %2 : tensor<4x3xf32>
}
func.func @late(%x: tensor<4x2xf32>, %w: tensor<8x6xf32>, %z: tensor<4x6xf32>, %v: tensor<6x3xf32>) -> tensor<4x3xf32> {
  %g = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<4x2xf32>) -> tensor<4x8xf32>
  %0 = stablehlo.dot_general %g, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.tanh %z : tensor<4x6xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x6xf32>
  %3 = stablehlo.dot_general %2, %v, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x3xf32>) -> tensor<4x3xf32>
  return %3 : tensor<4x3xf32>
}
func.func @other_blocks(%x: tensor<3x8xf32>, %w: tensor<8x5xf32>) -> tensor<2x5xf32> {
  %g = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi64>, use_global_device_ids}> : (tensor<3x8xf32>) -> tensor<6x8xf32>
  %y = stablehlo.dot_general %g, %w, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x5xf32>) -> tensor<6x5xf32>
  %z = "stablehlo.reduce_scatter"(%y) <{scatter_dimension = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4], [1, 3, 5]]> : tensor<2x3xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<6x5xf32>) -> tensor<2x5xf32>
  return %z : tensor<2x5xf32>
}
func.func @both_operands(%x: tensor<4x2xf32>) -> tensor<4x4xf32> {
  %g = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<4x2xf32>) -> tensor<4x8xf32>
  %y = stablehlo.dot_general %g, %g, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
func.func @two_values(%x: tensor<4x2xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %g:2 = "stablehlo.all_gather"(%x, %x) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<4x2xf32>, tensor<4x2xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  %0 = stablehlo.dot_general %g#0, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
