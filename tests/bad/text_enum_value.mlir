// A word that is not among the attribute's enumerators is a parse error.
// RUN: shardopt %s
// EXIT: 1
func.func @f(%a: tensor<2x2xf32>) {
  %0 = stablehlo.dot %a, %a, precision = [GOOD] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}
