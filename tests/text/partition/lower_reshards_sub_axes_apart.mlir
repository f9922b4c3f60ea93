// Sub-axes that do not split their axis into common factors are not exchanged: the value is gathered before it is sliced.
// Here they are the first two and the last two of six devices; the devices of a group have different slices
// RUN: shardopt %s -shardrun-lower-reshards
sdy.mesh @mesh = <["c"=6]>

func.func @main(%x: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c":(3)2}, {}]>}) -> (tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"c":(1)2}]>}) {
  %0 = sdy.reshard %x <@mesh, [{}, {"c":(1)2}]> : tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
