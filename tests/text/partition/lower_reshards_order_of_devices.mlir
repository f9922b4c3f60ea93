// A reshard to another device order needs a permute, if anything is sharded
// RUN: shardopt %s -shardrun-lower-reshards
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>
sdy.mesh @one = <[], device_ids=[0]>
func.func @permuted(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %arg0 <@other, [{"x"}, {}]> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
func.func @replicated(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %arg0 <@other, [{"x"}, {}]> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
func.func @to_one_device(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %arg0 <@one, []> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
func.func @from_one_device(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@one, []>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
