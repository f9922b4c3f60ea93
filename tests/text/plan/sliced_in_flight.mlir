// The schedule decides in the order that it found whether a slice is read in place: the tanh, which can overwrite the source, runs before
// the product, while the all_gather is in flight. So the slice is copied, and the tanh is computed in place.
// RUN: shardrun --quiet --run=false --print-plan --overlap=on %s
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<64x32xf32>, %y: tensor<32x64xf32>, %w: tensor<32x16xf32>) -> (tensor<32x16xf32>, tensor<64x64xf32>) {
    %a = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
    %gathered = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<32x16xf32>) -> tensor<64x16xf32>
    %slice = stablehlo.slice %a [0:32, 0:64] : (tensor<64x64xf32>) -> tensor<32x64xf32>
    %product = stablehlo.dot_general %slice, %gathered, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x16xf32>) -> tensor<32x16xf32>
    %tanh = stablehlo.tanh %a : tensor<64x64xf32>
    return %product, %tanh : tensor<32x16xf32>, tensor<64x64xf32>
  }
}
