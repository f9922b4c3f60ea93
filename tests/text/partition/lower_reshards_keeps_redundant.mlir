// Reshards that change nothing are kept if an option asks for that
// RUN: shardopt %s -sdy-reshard-to-collectives=keep-redundant-reshards=true
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @kept(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
func.func @changed(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{}, {}]> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
