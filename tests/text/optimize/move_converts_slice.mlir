// A slice along other dimensions than the collective's moves before it
// RUN: shardopt -shardrun-move-converts %s
func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x8x2xf32>, %c: tensor<4x2x6xf32>) -> (tensor<8x3xf32>, tensor<2x2x4xf32>, tensor<4x8xf32>, tensor<1x8x3xf32>) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.slice %0 [0:8, 2:7:2] : (tensor<8x8xf32>) -> tensor<8x3xf32>
  %2 = "stablehlo.all_to_all"(%b) <{split_dimension = 0 : i64, concat_dimension = 2 : i64, split_count = 2 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8x2xf32>) -> tensor<2x8x4xf32>
  %3 = stablehlo.slice %2 [0:2, 1:3, 0:4] : (tensor<2x8x4xf32>) -> tensor<2x2x4xf32>
  %4 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<8x8xf32>
  %5 = stablehlo.slice %4 [2:6, 0:8] : (tensor<8x8xf32>) -> tensor<4x8xf32>
  %6 = "stablehlo.all_to_all"(%c) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 4 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<4x2x6xf32>) -> tensor<1x8x6xf32>
  %7 = stablehlo.slice %6 [0:1:2, 0:8, 0:3] : (tensor<1x8x6xf32>) -> tensor<1x8x3xf32>
  return %1, %3, %5, %7 : tensor<8x3xf32>, tensor<2x2x4xf32>, tensor<4x8xf32>, tensor<1x8x3xf32>
}
