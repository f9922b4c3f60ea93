// A hex constant with another number of bytes than its type is refused.
// RUN: shardopt %s
// EXIT: 1
func.func @f() {
  %0 = stablehlo.constant dense<"0x0000803F00"> : tensor<2xf32>
  return
}
