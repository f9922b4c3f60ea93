// Converts to fewer bytes move before the collective, to more bytes after it; zeros for devices that receive nothing stay zeros
// RUN: shardopt -shardrun-move-converts %s
func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x8xbf16>, %c: tensor<4x8xf32>) -> (tensor<8x8xbf16>, tensor<8x8xf32>, tensor<4x8xf16>) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.convert %0 : (tensor<8x8xf32>) -> tensor<8x8xbf16>
  %2 = stablehlo.convert %b : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  %3 = "stablehlo.all_gather"(%2) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<8x8xf32>
  %4 = "stablehlo.collective_permute"(%c) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = stablehlo.convert %4 : (tensor<4x8xf32>) -> tensor<4x8xf16>
  return %1, %3, %5 : tensor<8x8xbf16>, tensor<8x8xf32>, tensor<4x8xf16>
}
