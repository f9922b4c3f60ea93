// The custom form of an op that has only a generic form is a parse error.
// RUN: shardopt %s
// EXIT: 1
func.func @f(%a: tensor<4xf32>) {
  %0 = stablehlo.all_gather %a : tensor<4xf32>
  return
}
