// An argument that is not divisible by its shards is refused, since it cannot be padded at entry.
// RUN: shardopt %s -sdy-pad-for-divisibility
// EXIT: 1
sdy.mesh @mesh = <["a"=4]>
func.func @main(%arg0: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> tensor<6xf32> {
  %0 = sdy.all_gather [{"a"}] %arg0 out_sharding=<@mesh, [{}]> : tensor<6xf32>
  return %0 : tensor<6xf32>
}
