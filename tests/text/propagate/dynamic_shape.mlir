// Dynamic shapes are an error.
// RUN: shardopt %s -sdy-basic-propagate
// EXIT: 1
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.tanh %a : tensor<?xf32>
  return %0 : tensor<?xf32>
}
