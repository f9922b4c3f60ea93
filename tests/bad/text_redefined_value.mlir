// A second definition of a value is a parse error.
// RUN: shardopt %s
// EXIT: 1
func.func @f(%a: tensor<4xf32>) {
  %0 = stablehlo.negate %a : tensor<4xf32>
  %0 = stablehlo.negate %a : tensor<4xf32>
  return
}
