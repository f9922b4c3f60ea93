// A reduce along other dimensions is moved before the all_gather; not before a permute, nor along the gathered dimension.
// RUN: shardopt -shardrun-move-converts %s
func.func @main(%a: tensor<6x4x8xf32>) -> (tensor<8x8xf32>, tensor<6x8xf32>, tensor<4x8xf32>) {
  %z = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<6x4x8xf32>) -> tensor<6x8x8xf32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<6x8x8xf32>, tensor<f32>) -> tensor<8x8xf32>
  %2 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<6x4x8xf32>) -> tensor<6x8x8xf32>
  %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<6x8x8xf32>, tensor<f32>) -> tensor<6x8xf32>
  %4 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %5 = stablehlo.reduce(%4 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<6x4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return %1, %3, %5 : tensor<8x8xf32>, tensor<6x8xf32>, tensor<4x8xf32>
}
