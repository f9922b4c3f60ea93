// Attention of transposed queries and keys: in the loop, a block of queries is sliced and then transposed, so that the transpose is never in memory
// as a whole. The keys are transposed once, since each block of queries reads all of them.
// RUN: shardopt %s -shardrun-strip-mine='min-bytes=0 rows=4' -dce
module {
  func.func @attention(%q: tensor<16x2x3xf32>, %k: tensor<16x2x3xf32>, %v: tensor<2x16x3xf32>) -> tensor<2x16x3xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %qt = stablehlo.transpose %q, dims = [1, 2, 0] : (tensor<16x2x3xf32>) -> tensor<2x3x16xf32>
    %kt = stablehlo.transpose %k, dims = [1, 2, 0] : (tensor<16x2x3xf32>) -> tensor<2x3x16xf32>
    %s = stablehlo.dot_general %qt, %kt, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x3x16xf32>, tensor<2x3x16xf32>) -> tensor<2x16x16xf32>
    %e = stablehlo.exponential %s : tensor<2x16x16xf32>
    %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x16x16xf32>, tensor<f32>) -> tensor<2x16xf32>
    %sums = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x16xf32>
    %p = stablehlo.divide %e, %sums : tensor<2x16x16xf32>
    %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x16x16xf32>, tensor<2x16x3xf32>) -> tensor<2x16x3xf32>
    return %o : tensor<2x16x3xf32>
  }
}
