// An inline mesh with another number of devices than the module's other meshes is refused.
// RUN: shardrun --run=false %s
// EXIT: 4
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["y"=2]>, [{"y"}]>}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
