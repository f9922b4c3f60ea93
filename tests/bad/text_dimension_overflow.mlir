// An extent that exceeds 64 bits is a parse error.
// RUN: shardopt %s
// EXIT: 1
func.func @f(%a: tensor<4x9999999999999999999999xf32>) {
  return
}
