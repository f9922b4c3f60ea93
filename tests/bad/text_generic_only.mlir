// An op without a custom form.
// RUN: shardopt %s
// EXIT: 1
func.func @f(%a: tensor<4xf32>) {
  %0 = stablehlo.all_gather %a : tensor<4xf32>
  return
}
