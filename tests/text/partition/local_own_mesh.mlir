// Replica groups and offsets use the mesh of the collective's result
// RUN: shardopt %s -shardrun-global-to-local
sdy.mesh @mesh = <["x"=4]>
sdy.mesh @square = <["a"=2, "b"=2], device_ids=[3, 1, 2, 0]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@square, [{"a"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = sdy.all_gather [{"a"}] %arg0 out_sharding=<@square, [{}]> : tensor<8xf32>
  %1 = sdy.all_gather [{"x"}] %arg1 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
