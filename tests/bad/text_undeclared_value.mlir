// The use of an undefined value is a parse error that names it.
// RUN: shardopt %s
// EXIT: 1
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}
