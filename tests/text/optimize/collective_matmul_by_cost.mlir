// Between nodes, the number of chunks is the one with the shortest estimated time on the machine.
// There are no chunks within a node, nor for collectives and products that take almost no time
// RUN: printf 'cores_per_node = 2\nranks_per_node = 2\nnetwork_bytes_per_s = 125e6\n' >%t/machine.txt && shardopt %s --machine=%t/machine.txt -shardrun-collective-matmul
func.func @between_nodes(%x: tensor<256x1024xf32>, %w: tensor<1024x512xf32>) -> tensor<1024x512xf32> {
  %g = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<256x1024xf32>) -> tensor<1024x1024xf32>
  %y = stablehlo.dot_general %g, %w, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x512xf32>) -> tensor<1024x512xf32>
  return %y : tensor<1024x512xf32>
}
func.func @within_nodes(%x: tensor<512x1024xf32>, %w: tensor<1024x512xf32>) -> tensor<1024x512xf32> {
  %g = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<512x1024xf32>) -> tensor<1024x1024xf32>
  %y = stablehlo.dot_general %g, %w, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x512xf32>) -> tensor<1024x512xf32>
  return %y : tensor<1024x512xf32>
}
func.func @small(%x: tensor<2x8xf32>, %w: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %g = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.dot_general %g, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}
