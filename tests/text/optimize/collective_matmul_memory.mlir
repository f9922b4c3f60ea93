// To save memory, a product of two large gathered values is computed in panels of the contracted dimension; groups of 2 and 4
// divide it into 4 blocks. Narrow floats are summed in f32. A product of one gathered value is computed in chunks of its result.
// A large result is added to in strips. Gathered values that take less than chunk-bytes are left.
// RUN: shardopt %s '-shardrun-collective-matmul=number=8 chunk-bytes=250000'
func.func @groups_of_2_and_4(%x: tensor<256x256xf32>, %w: tensor<128x512xf32>) -> tensor<256x512xf32> {
  %a = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<256x256xf32>) -> tensor<256x512xf32>
  %b = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<128x512xf32>) -> tensor<512x512xf32>
  %y = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
  return %y : tensor<256x512xf32>
}
func.func @rows_and_columns(%x: tensor<256x512xbf16>, %w: tensor<512x256xbf16>) -> tensor<512x512xbf16> {
  %a = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<256x512xbf16>) -> tensor<512x512xbf16>
  %b = "stablehlo.all_gather"(%w) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<512x256xbf16>) -> tensor<512x512xbf16>
  %y = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>
  return %y : tensor<512x512xbf16>
}
// An algorithm says how narrow floats are summed, so the product is not computed in panels.
func.func @algorithm(%x: tensor<256x512xbf16>, %w: tensor<512x256xbf16>) -> tensor<512x512xbf16> {
  %a = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<256x512xbf16>) -> tensor<512x512xbf16>
  %b = "stablehlo.all_gather"(%w) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<512x256xbf16>) -> tensor<512x512xbf16>
  %y = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = bf16, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>
  return %y : tensor<512x512xbf16>
}
func.func @one_gathered(%x: tensor<256x512xf32>, %w: tensor<512x8xf32>) -> tensor<512x8xf32> {
  %a = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<256x512xf32>) -> tensor<512x512xf32>
  %y = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x8xf32>) -> tensor<512x8xf32>
  return %y : tensor<512x8xf32>
}
func.func @small(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %a = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<64x64xf32>) -> tensor<128x64xf32>
  %y = stablehlo.dot_general %a, %x, contracting_dims = [1] x [0] : (tensor<128x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
  %z = stablehlo.slice %y [0:64, 0:64] : (tensor<128x64xf32>) -> tensor<64x64xf32>
  return %z : tensor<64x64xf32>
}
// A reduce_scatter over 2 devices of a value gathered over 3 along the same dimension is chunked in 6 blocks.
func.func @gathered_and_scattered(%x: tensor<64x256xf32>, %w: tensor<256x96xf32>) -> tensor<64x144xf32> {
  %a = "stablehlo.all_gather"(%w) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4], [1, 3, 5]]> : tensor<2x3xi64>, use_global_device_ids}> : (tensor<256x96xf32>) -> tensor<256x288xf32>
  %y = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x288xf32>) -> tensor<64x288xf32>
  %z = "stablehlo.reduce_scatter"(%y) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64x288xf32>) -> tensor<64x144xf32>
  return %z : tensor<64x144xf32>
}
