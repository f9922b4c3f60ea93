// The program has no mesh, and nothing is to find shardings for it
// RUN: shardrun --cache=off --run=false --mesh=data=8 %s
// EXIT: 2
func.func public @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  return %x : tensor<16xf32>
}
