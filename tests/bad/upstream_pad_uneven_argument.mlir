// An argument that its shards do not divide cannot be padded on its way in
// RUN: shardopt %s -sdy-pad-for-divisibility
// EXIT: 1
sdy.mesh @mesh = <["a"=4]>
func.func @main(%arg0: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> tensor<6xf32> {
  %0 = sdy.all_gather [{"a"}] %arg0 out_sharding=<@mesh, [{}]> : tensor<6xf32>
  return %0 : tensor<6xf32>
}
