// The message about a syntax error says what was expected and what was found
// RUN: shardopt %s
// EXIT: 1
func.func @f(%a: tensor<4xf32>) {
  %0 = stablehlo.negate %a tensor<4xf32>
  return
}
