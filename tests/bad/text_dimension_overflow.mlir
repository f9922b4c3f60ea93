// Extents fit in 64 bits
// RUN: shardopt %s
// EXIT: 1
func.func @f(%a: tensor<4x9999999999999999999999xf32>) {
  return
}
