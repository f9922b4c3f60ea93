// An argument whose bytes exceed 64 bits is refused at its position.
// RUN: shardrun %s --run=false
// EXIT: 5
func.func @main(%arg0: tensor<9223372036854775807xf32>) -> tensor<9223372036854775807xf32> {
  return %arg0 : tensor<9223372036854775807xf32>
}
