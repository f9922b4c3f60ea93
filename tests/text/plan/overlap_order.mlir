// With --overlap=on a gather overlaps with products that do not read it, and its unpacking is moved after them
// RUN: shardrun --quiet --run=false --overlap=on --print-plan %s
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<128x512xf32>, %b: tensor<128x128xf32>) -> (tensor<128x128xf32>, tensor<128x2048xf32>) {
    %n = stablehlo.tanh %a : tensor<128x512xf32>
    %all = "stablehlo.all_gather"(%n) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<128x512xf32>) -> tensor<128x2048xf32>
    %e = stablehlo.exponential %all : tensor<128x2048xf32>
    %p = stablehlo.dot_general %b, %b, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %q = stablehlo.dot_general %p, %b, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    return %q, %e : tensor<128x128xf32>, tensor<128x2048xf32>
  }
}
