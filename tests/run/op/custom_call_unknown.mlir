// An unknown custom call target is reported with its operands
// RUN: shardrun --interpret %s
// EXIT: 4
func.func @main() {
  %x = stablehlo.constant dense<[0.0, 0.5]> : tensor<2xf32>
  %e = stablehlo.custom_call @nobody.knows(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}
