// A mesh of more devices than a program can have is refused, with both counts.
// RUN: shardrun %s --run=false
// EXIT: 4
sdy.mesh @mesh = <["x"=2147483648]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
