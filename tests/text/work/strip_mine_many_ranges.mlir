// Causal attention of 136 rows in 17 blocks of 8 rows has a loop for each of 16 ranges of rows, with 8 to 136 columns; the last range has two
// blocks.
// RUN: shardopt %s -shardrun-strip-mine=mode=on | grep "maximum across" | sed "s/.* : //"
module {
  func.func @causal(%q: tensor<2x136x4xf32>, %k: tensor<2x136x4xf32>, %v: tensor<2x136x4xf32>) -> tensor<2x136x4xf32> {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x136x4xf32>, tensor<2x136x4xf32>) -> tensor<2x136x136xf32>
    %row = stablehlo.iota dim = 1 : tensor<2x136x136xi32>
    %column = stablehlo.iota dim = 2 : tensor<2x136x136xi32>
    %mask = stablehlo.compare GE, %row, %column, SIGNED : (tensor<2x136x136xi32>, tensor<2x136x136xi32>) -> tensor<2x136x136xi1>
    %lows = stablehlo.broadcast_in_dim %low, dims = [] : (tensor<f32>) -> tensor<2x136x136xf32>
    %masked = stablehlo.select %mask, %s, %lows : tensor<2x136x136xi1>, tensor<2x136x136xf32>
    %max = stablehlo.reduce(%masked init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<2x136x136xf32>, tensor<f32>) -> tensor<2x136xf32>
    %maxima = stablehlo.broadcast_in_dim %max, dims = [0, 1] : (tensor<2x136xf32>) -> tensor<2x136x136xf32>
    %d = stablehlo.subtract %masked, %maxima : tensor<2x136x136xf32>
    %e = stablehlo.exponential %d : tensor<2x136x136xf32>
    %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x136x136xf32>, tensor<f32>) -> tensor<2x136xf32>
    %sums = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x136xf32>) -> tensor<2x136x136xf32>
    %p = stablehlo.divide %e, %sums : tensor<2x136x136xf32>
    %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x136x136xf32>, tensor<2x136x4xf32>) -> tensor<2x136x4xf32>
    return %o : tensor<2x136x4xf32>
  }
}
