// Small collective_permutes with the same pairs are combined: here the halos of two arrays to the right neighbour; the one to the
// left neighbour stays alone.
// RUN: shardopt %s -shardrun-combine-collectives
func.func @halos(%u: tensor<1x4xf32>, %v: tensor<2x3xf32>) -> (tensor<1x4xf32>, tensor<2x3xf32>, tensor<1x4xf32>) {
  %0 = "stablehlo.collective_permute"(%u) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3]]> : tensor<3x2xi64>}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %1 = "stablehlo.collective_permute"(%u) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[1, 0], [2, 1], [3, 2]]> : tensor<3x2xi64>}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %2 = "stablehlo.collective_permute"(%v) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3]]> : tensor<3x2xi64>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %2, %1 : tensor<1x4xf32>, tensor<2x3xf32>, tensor<1x4xf32>
}
