// An error in a collective between two meshes has a note that names the operand's mesh.
// RUN: shardopt %s
// EXIT: 1
sdy.mesh @mesh1 = <["x"=2, "y"=2]>
sdy.mesh @mesh2 = <["a"=2, "b"=2]>
func.func @f(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh2, [{"a"}, {"b"}]>}) -> tensor<4x4xf32> {
  %0 = sdy.all_gather [{}, {"b"}] %a out_sharding=<@mesh1, [{"y"}, {}]> : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
