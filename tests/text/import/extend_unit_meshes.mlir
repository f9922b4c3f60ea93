// A mesh of one device gets an axis of the size of the largest mesh, with a name that its own axes do not have; other meshes stay
// RUN: shardopt %s -shardrun-extend-unit-meshes
sdy.mesh @one = <["i"=1, "devices"=1]>
sdy.mesh @mesh = <["i"=2, "j"=3]>
sdy.mesh @none = <[]>
func.func @main(%x: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@one, [{"i"}, {}]>}) -> tensor<8x2xf32> {
  return %x : tensor<8x2xf32>
}
