// An all_gather whose only use is an update at a dynamic start writes into the larger value; not if it has another reader, or is in chunks
// RUN: shardrun --quiet --run=false --print-plan %s
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<1x64x128xf32>, %stack: tensor<8x64x512xf32> {tf.aliasing_output = 0 : i32}, %other: tensor<8x128x512xf32> {tf.aliasing_output = 1 : i32}, %i: tensor<i32>) -> (tensor<8x64x512xf32>, tensor<8x128x512xf32>, tensor<1x256x128xf32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %all = "stablehlo.all_gather"(%a) <{all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<1x64x128xf32>) -> tensor<1x64x512xf32>
    %put = stablehlo.dynamic_update_slice %stack, %all, %i, %zero, %zero : (tensor<8x64x512xf32>, tensor<1x64x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x64x512xf32>
    %b = stablehlo.tanh %a : tensor<1x64x128xf32>
    %half = "stablehlo.all_gather"(%b) <{all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids}> : (tensor<1x64x128xf32>) -> tensor<1x64x512xf32>
    %inside = stablehlo.dynamic_update_slice %other, %half, %i, %i, %zero : (tensor<8x128x512xf32>, tensor<1x64x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x128x512xf32>
    %read = "stablehlo.all_gather"(%b) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, use_global_device_ids}> : (tensor<1x64x128xf32>) -> tensor<1x256x128xf32>
    return %put, %inside, %read : tensor<8x64x512xf32>, tensor<8x128x512xf32>, tensor<1x256x128xf32>
  }
}
