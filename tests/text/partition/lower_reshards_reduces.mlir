// Partial sums are sliced first along other axes, then reduced into the required shards
// RUN: shardopt %s -shardrun-lower-reshards -shardrun-simplify-collectives
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @scattered(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x", "y"}>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"z", "y"}, {"x"}]> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
func.func @everywhere(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced={"y"}>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
func.func @some(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x", "y"}>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}, {}], unreduced={"y"}> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
func.func @greatest(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced=max{"x"}>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{}, {}]> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
