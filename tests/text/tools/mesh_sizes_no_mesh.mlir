// --mesh for a program without a mesh is an error without --auto-shard.
// RUN: shardrun --cache=off --run=false --mesh=data=8 %s
// EXIT: 2
func.func public @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  return %x : tensor<16xf32>
}
