// Sub-axes are moved as axes are; sub-axes that cannot coexist are gathered
// RUN: shardopt %s -shardrun-lower-reshards
sdy.mesh @mesh = <["x"=4, "y"=2, "u"=6]>
func.func @moved(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {"x":(2)2}]>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"y"}, {"x"}]> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
func.func @exclude_each_other(%arg0: tensor<12x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"u":(1)2}, {}]>}) -> tensor<12x12xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"u":(1)3}]> : tensor<12x12xf32>
  return %0 : tensor<12x12xf32>
}
