// On meshes with too many devices to list, groups, pairs and offsets are computed from axes
// RUN: shardopt %s -shardrun-global-to-local=max-listed-devices=1
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @gather(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y":(2)2}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %0 = sdy.all_gather [{"y":(2)2}] %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @slice(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}]>}) {
  %0 = sdy.all_slice [{"y", "x"}] %arg0 out_sharding=<@mesh, [{"y", "x"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @permute(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y":(1)2}]>}) {
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"x", "y":(1)2}]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
