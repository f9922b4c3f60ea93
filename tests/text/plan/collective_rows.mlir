// Blocks along an inner dimension are read and written in place; those with rows of a few bytes are packed or unpacked
// RUN: shardrun --quiet --run=false --print-plan %s
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<64x128xf32>, %b: tensor<64x8xf32>, %c: tensor<2x64x128xf32>) -> (tensor<64x512xf32>, tensor<64x32xf32>, tensor<8x64x32xf32>, tensor<64x32xf32>) {
    %long = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<64x128xf32>) -> tensor<64x512xf32>
    %short = "stablehlo.all_gather"(%b) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids}> : (tensor<64x8xf32>) -> tensor<64x32xf32>
    %turned = "stablehlo.all_to_all"(%c) <{split_dimension = 2 : i64, concat_dimension = 0 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>}> : (tensor<2x64x128xf32>) -> tensor<8x64x32xf32>
    %part = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<64x128xf32>) -> tensor<64x32xf32>
    return %long, %short, %turned, %part : tensor<64x512xf32>, tensor<64x32xf32>, tensor<8x64x32xf32>, tensor<64x32xf32>
  }
}
