// An op with another number of results than names is a parse error.
// RUN: shardopt %s
// EXIT: 1
func.func @f(%a: tensor<4xf32>) {
  %0:3 = stablehlo.optimization_barrier %a, %a : tensor<4xf32>, tensor<4xf32>
  return
}
