// With four threads, each block has three of six matrices: as many as threads, up to a divisor of the batch.
// RUN: shardopt %s -shardrun-strip-mine='min-bytes=0 threads=4'
module {
  func.func @attention(%q: tensor<6x16x4xf32>, %k: tensor<6x16x4xf32>, %v: tensor<6x16x4xf32>) -> tensor<6x16x4xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<6x16x4xf32>, tensor<6x16x4xf32>) -> tensor<6x16x16xf32>
    %e = stablehlo.exponential %s : tensor<6x16x16xf32>
    %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<6x16x16xf32>, tensor<f32>) -> tensor<6x16xf32>
    %sums = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<6x16xf32>) -> tensor<6x16x16xf32>
    %p = stablehlo.divide %e, %sums : tensor<6x16x16xf32>
    %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<6x16x16xf32>, tensor<6x16x4xf32>) -> tensor<6x16x4xf32>
    return %o : tensor<6x16x4xf32>
  }
}
