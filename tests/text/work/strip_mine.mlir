// Attention is computed in blocks of rows of each head: the masked scores and their softmax are in no value as a whole, the mask is computed per
// block, and the last block of 4 rows begins at row 6 of 10. The largest score of each row needs no second product. Scores that are a result stay, and so
// does a product whose rows are not reduced.
// RUN: shardopt %s -shardrun-strip-mine='min-bytes=0 rows=4'
module {
  func.func @attention(%q: tensor<2x10x2xf32>, %k: tensor<2x10x2xf32>, %v: tensor<2x10x2xf32>) -> tensor<2x10x2xf32> {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x10x2xf32>, tensor<2x10x2xf32>) -> tensor<2x10x10xf32>
    %row = stablehlo.iota dim = 0 : tensor<10x10xi32>
    %column = stablehlo.iota dim = 1 : tensor<10x10xi32>
    %below = stablehlo.compare GE, %row, %column, SIGNED : (tensor<10x10xi32>, tensor<10x10xi32>) -> tensor<10x10xi1>
    %mask = stablehlo.broadcast_in_dim %below, dims = [1, 2] : (tensor<10x10xi1>) -> tensor<2x10x10xi1>
    %lows = stablehlo.broadcast_in_dim %low, dims = [] : (tensor<f32>) -> tensor<2x10x10xf32>
    %m = stablehlo.select %mask, %s, %lows : tensor<2x10x10xi1>, tensor<2x10x10xf32>
    %max = stablehlo.reduce(%m init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<2x10x10xf32>, tensor<f32>) -> tensor<2x10xf32>
    %maxs = stablehlo.broadcast_in_dim %max, dims = [0, 1] : (tensor<2x10xf32>) -> tensor<2x10x10xf32>
    %d = stablehlo.subtract %m, %maxs : tensor<2x10x10xf32>
    %e = stablehlo.exponential %d : tensor<2x10x10xf32>
    %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x10x10xf32>, tensor<f32>) -> tensor<2x10xf32>
    %sums = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x10xf32>) -> tensor<2x10x10xf32>
    %p = stablehlo.divide %e, %sums : tensor<2x10x10xf32>
    %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x10x10xf32>, tensor<2x10x2xf32>) -> tensor<2x10x2xf32>
    return %o : tensor<2x10x2xf32>
  }
  func.func @one_product(%q: tensor<8x10x2xf32>, %k: tensor<8x10x2xf32>) -> tensor<8x10x10xf32> {
    %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<8x10x2xf32>, tensor<8x10x2xf32>) -> tensor<8x10x10xf32>
    %e = stablehlo.exponential %s : tensor<8x10x10xf32>
    return %e : tensor<8x10x10xf32>
  }
  func.func @scores_are_a_result(%q: tensor<8x10x2xf32>, %k: tensor<8x10x2xf32>) -> (tensor<8x10x10xf32>, tensor<8x10x2xf32>) {
    %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<8x10x2xf32>, tensor<8x10x2xf32>) -> tensor<8x10x10xf32>
    %e = stablehlo.exponential %s : tensor<8x10x10xf32>
    %o = stablehlo.dot_general %e, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x10x10xf32>, tensor<8x10x2xf32>) -> tensor<8x10x2xf32>
    return %e, %o : tensor<8x10x10xf32>, tensor<8x10x2xf32>
  }
  func.func @largest_scores(%q: tensor<8x10x2xf32>, %k: tensor<8x10x2xf32>) -> tensor<8x10xf32> {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<8x10x2xf32>, tensor<8x10x2xf32>) -> tensor<8x10x10xf32>
    %m = stablehlo.reduce(%s init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<8x10x10xf32>, tensor<f32>) -> tensor<8x10xf32>
    return %m : tensor<8x10xf32>
  }
}
