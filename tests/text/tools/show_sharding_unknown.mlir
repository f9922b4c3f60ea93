// --show-sharding of a value that the program does not have is an error.
// RUN: shardrun --run=false --show-sharding=%7 %s
// EXIT: 2
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
