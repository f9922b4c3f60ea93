// Halos that are parts of another halo for the same device become slices of it, wherever they are in the block. Halos of another value
// or for another device, and those that only overlap, stay
// RUN: shardopt %s -shardrun-combine-collectives
func.func @main(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> (tensor<1x4xf32>, tensor<2x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<2x4xf32>) {
  %0 = stablehlo.slice %x [7:8, 0:4] : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %last = "stablehlo.collective_permute"(%0) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %1 = stablehlo.slice %x [5:8, 0:4] : (tensor<8x4xf32>) -> tensor<3x4xf32>
  %three = "stablehlo.collective_permute"(%1) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>}> : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %first_of_three = stablehlo.slice %three [0:2, 0:4] : (tensor<3x4xf32>) -> tensor<2x4xf32>
  %2 = stablehlo.slice %x [6:7, 0:4] : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %middle = "stablehlo.collective_permute"(%2) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %back = "stablehlo.collective_permute"(%2) <{source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %3 = stablehlo.slice %y [7:8, 0:4] : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %of_y = "stablehlo.collective_permute"(%3) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %4 = stablehlo.slice %x [4:6, 0:4] : (tensor<8x4xf32>) -> tensor<2x4xf32>
  %overlapping = "stablehlo.collective_permute"(%4) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %last, %first_of_three, %middle, %back, %of_y, %overlapping : tensor<1x4xf32>, tensor<2x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<2x4xf32>
}
