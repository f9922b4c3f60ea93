// A constant of unranked type is refused: its shape must be static.
// RUN: shardopt %s
// EXIT: 1
func.func @f() {
  %0 = sdy.constant dense<1.0> : tensor<*xf32>
  return
}
