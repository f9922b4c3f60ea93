// An op with another number of types than operands is a parse error.
// RUN: shardopt %s
// EXIT: 1
func.func @f(%a: tensor<2xf32>) {
  %0:2 = stablehlo.optimization_barrier %a, %a : tensor<2xf32>
  return
}
