// An unknown op of a known dialect is a parse error.
// RUN: shardopt %s
// EXIT: 1
func.func @f(%a: tensor<4xf32>) {
  %0 = stablehlo.nothing %a : tensor<4xf32>
  return
}
