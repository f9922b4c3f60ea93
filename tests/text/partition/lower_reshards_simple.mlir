// A reshard is lowered to an all_gather of the removed axes, then an all_slice of the added ones
// RUN: shardopt %s -shardrun-lower-reshards-simple
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x4xf32> {
  %0 = sdy.reshard %a <@mesh, [{}, {"x"}]> : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
