// An op in a loop that reads a value chunked before the loop stays in the loop.
// RUN: shardopt %s -shardrun-collective-matmul=number=2
func.func @main(%x: tensor<4x8xf32>, %w0: tensor<8x3xf32>, %w1: tensor<3x16xf32>, %c: tensor<16x3xf32>, %n: tensor<i32>) -> tensor<16x3xf32> {
  %g = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<16x8xf32>
  %0 = stablehlo.dot_general %g, %w0, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x3xf32>) -> tensor<16x3xf32>
  %1:2 = stablehlo.while(%i = %n, %s = %c) : tensor<i32>, tensor<16x3xf32>
  cond {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %p = stablehlo.compare GT, %i, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.subtract %i, %one : tensor<i32>
    %a = stablehlo.add %0, %s : tensor<16x3xf32>
    %d = stablehlo.dot_general %a, %w1, contracting_dims = [1] x [0] : (tensor<16x3xf32>, tensor<3x16xf32>) -> tensor<16x16xf32>
    %e = stablehlo.dot_general %d, %s, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x3xf32>) -> tensor<16x3xf32>
    stablehlo.return %j, %e : tensor<i32>, tensor<16x3xf32>
  }
  return %1#1 : tensor<16x3xf32>
}
