// A reshard is a gather of the axes that go, then a slice of those that come
// RUN: shardopt %s -shardrun-lower-reshards-simple
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x4xf32> {
  %0 = sdy.reshard %a <@mesh, [{}, {"x"}]> : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
