// Collectives start when their operands are ready, finish before their results are read, and are released before their memory is written
// RUN: shardrun --quiet --run=false --print-plan %s
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<64x128xf32>, %b: tensor<128x128xf32>) -> (tensor<64x128xf32>, tensor<256x128xf32>, tensor<128x128xf32>) {
    %n = stablehlo.tanh %a : tensor<64x128xf32>
    %sum = "stablehlo.all_reduce"(%n) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<64x128xf32>) -> tensor<64x128xf32>
    %all = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids}> : (tensor<64x128xf32>) -> tensor<256x128xf32>
    %p = stablehlo.dot_general %b, %b, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %q = stablehlo.dot_general %p, %b, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %r = stablehlo.dot_general %sum, %b, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
    return %r, %all, %q : tensor<64x128xf32>, tensor<256x128xf32>, tensor<128x128xf32>
  }
}
