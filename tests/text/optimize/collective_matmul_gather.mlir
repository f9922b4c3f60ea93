// A product of a gathered value becomes products of gathered chunks. The chunks are rows if the contracted columns are gathered;
// if rows are gathered, a chunk of each device's block in turn; columns of the other operand; a short dimension gives fewer chunks
// RUN: shardopt %s -shardrun-collective-matmul=number=3
func.func @columns_gathered(%x: tensor<7x2xf32>, %w: tensor<8x5xf32>) -> tensor<7x5xf32> {
  %g = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<7x2xf32>) -> tensor<7x8xf32>
  %y = stablehlo.dot_general %g, %w, contracting_dims = [1] x [0] : (tensor<7x8xf32>, tensor<8x5xf32>) -> tensor<7x5xf32>
  return %y : tensor<7x5xf32>
}
func.func @rows_gathered(%x: tensor<2x8xf32>, %w: tensor<8x5xf32>) -> tensor<8x5xf32> {
  %g = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.dot_general %g, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
  return %y : tensor<8x5xf32>
}
func.func @right_operand(%x: tensor<3x6x8xf32>, %w: tensor<3x2x5xf32>) -> tensor<3x6x5xf32> {
  %g = "stablehlo.all_gather"(%w) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<3x2x5xf32>) -> tensor<3x8x5xf32>
  %y = stablehlo.dot_general %x, %g, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x6x8xf32>, tensor<3x8x5xf32>) -> tensor<3x6x5xf32>
  return %y : tensor<3x6x5xf32>
}
