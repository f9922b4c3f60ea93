// A constant with another number of elements than its type is refused.
// RUN: shardopt %s
// EXIT: 1
func.func @f() {
  %0 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<4xf32>
  return
}
