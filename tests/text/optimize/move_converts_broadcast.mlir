// A broadcast moves after the gather, unless it is along the gathered dimension
// RUN: shardopt -shardrun-move-converts %s
func.func @main(%a: tensor<4xf32>, %b: tensor<8xf32>) -> (tensor<6x8xf32>, tensor<12x8xf32>) {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<6x4xf32>
  %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<6x4xf32>) -> tensor<6x8xf32>
  %2 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<8xf32>) -> tensor<6x8xf32>
  %3 = "stablehlo.all_gather"(%2) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<6x8xf32>) -> tensor<12x8xf32>
  return %1, %3 : tensor<6x8xf32>, tensor<12x8xf32>
}
