// A concatenate without operands is not a syntax error but violates the op's constraints
// RUN: shardopt %s
// EXIT: 1
func.func @f() {
  %0 = stablehlo.concatenate dim = 0 : () -> tensor<2xf32>
  return
}
