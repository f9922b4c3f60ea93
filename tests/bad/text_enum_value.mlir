// A word that is not an enumerator of the attribute
// RUN: shardopt %s
// EXIT: 1
func.func @f(%a: tensor<2x2xf32>) {
  %0 = stablehlo.dot %a, %a, precision = [GOOD] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}
