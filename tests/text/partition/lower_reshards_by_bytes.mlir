// Two all_to_alls send less than a permute and an all_to_all; a permute stays if nothing sends less
// RUN: shardopt %s -shardrun-lower-reshards
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @two_exchanges(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"y"}, {"x"}]> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
func.func @permute(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"y"}, {}]> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
