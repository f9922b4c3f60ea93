// --explain of a value that does not exist is an error.
// RUN: shardopt %s -sdy-propagation-pipeline --explain=%9
// EXIT: 1

sdy.mesh @mesh = <["x"=2]>

func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
