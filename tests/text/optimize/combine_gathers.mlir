// Small all_gathers over the same groups are combined, whatever their dimensions.
// RUN: shardopt %s -shardrun-combine-collectives
func.func @gathers(%x: tensor<4xf32>, %y: tensor<2x3xf32>, %z: tensor<1x1x5xf32>) -> (tensor<8xf32>, tensor<2x6xf32>, tensor<1x2x5xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
  %1 = "stablehlo.all_gather"(%y) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2x3xf32>) -> tensor<2x6xf32>
  %2 = "stablehlo.all_gather"(%z) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<1x1x5xf32>) -> tensor<1x2x5xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<2x6xf32>, tensor<1x2x5xf32>
}
