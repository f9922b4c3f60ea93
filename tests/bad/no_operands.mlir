// A concatenation of nothing is no syntax error
// RUN: shardopt %s
// EXIT: 1
func.func @f() {
  %0 = stablehlo.concatenate dim = 0 : () -> tensor<2xf32>
  return
}
