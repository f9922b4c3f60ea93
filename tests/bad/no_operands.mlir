// A concatenate without operands parses, and is refused by the verifier.
// RUN: shardopt %s
// EXIT: 1
func.func @f() {
  %0 = stablehlo.concatenate dim = 0 : () -> tensor<2xf32>
  return
}
