// Source-target pairs are computed with axes split wherever one of the shardings splits them, also if the axes move between dimensions
// RUN: shardopt %s -sdy-convert-global-to-local
sdy.mesh @mesh = <["a"=2, "b"=4]>
sdy.mesh @turned = <["a"=2, "b"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
func.func @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@turned, [{"a", "b":(2)2}, {}]>}) {
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"a", "b":(2)2}, {}]> : tensor<8x4xf32>
  %1 = sdy.collective_permute %0 out_sharding=<@turned, [{"a", "b":(2)2}, {}]> : tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
