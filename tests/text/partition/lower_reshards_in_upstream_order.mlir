// Upstream plans slices, permutes, all_to_alls and gathers, in this order
// RUN: shardopt %s -sdy-reshard-to-collectives
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @slice(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"x", "y"}, {"z"}]> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
func.func @permute(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"y"}, {"x"}]> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
func.func @exchange(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
func.func @gather(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y", "z"}]>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"y"}]> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
func.func @slice_at_the_source(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"x", "y"}]> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
func.func @permute_and_exchange(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"y"}, {"x"}]> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
func.func @from_nothing(%arg0: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"z"}, {}]> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
