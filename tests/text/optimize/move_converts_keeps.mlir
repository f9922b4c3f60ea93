// Nothing moves if another op reads the collective's result, or if elements are narrower than a byte
// RUN: shardopt -shardrun-move-converts %s
func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x8xi32>) -> (tensor<8x8xf32>, tensor<8x8xbf16>, tensor<8x8xi4>) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.convert %0 : (tensor<8x8xf32>) -> tensor<8x8xbf16>
  %2 = "stablehlo.all_gather"(%b) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4x8xi32>) -> tensor<8x8xi32>
  %3 = stablehlo.convert %2 : (tensor<8x8xi32>) -> tensor<8x8xi4>
  return %0, %1, %3 : tensor<8x8xf32>, tensor<8x8xbf16>, tensor<8x8xi4>
}
