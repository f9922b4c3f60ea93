// An argument of more bytes than 64 bits can count has its place in the message
// RUN: shardrun %s --run=false
// EXIT: 5
func.func @main(%arg0: tensor<9223372036854775807xf32>) -> tensor<9223372036854775807xf32> {
  return %arg0 : tensor<9223372036854775807xf32>
}
