// A reshard to another device order whose axes overlap without being equal ("x":(3)2 and "x":(1)2) ends with a permute to that order
// RUN: shardopt %s -shardrun-lower-reshards && shardrun -q %s --devices-per-rank=all --input="12xi32=0 1 2 3 4 5 6 7 8 9 10 11" --output=-
sdy.mesh @mesh = <["x"=6]>
sdy.mesh @swapped = <["x"=6], device_ids=[0, 1, 3, 2, 4, 5]>
func.func @main(%a: tensor<12xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(3)2}]>}) -> (tensor<12xi32> {sdy.sharding = #sdy.sharding<@swapped, [{"x":(1)2}]>}) {
  %0 = sdy.reshard %a <@swapped, [{"x":(1)2}]> : tensor<12xi32>
  return %0 : tensor<12xi32>
}
