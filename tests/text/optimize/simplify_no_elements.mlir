// Tensors without elements become constants, unless the op has side effects.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%x: tensor<0x3xf32>) -> (tensor<0x3xf32>, tensor<0x3xf32>) {
  %0 = stablehlo.sine %x : tensor<0x3xf32>
  %1 = stablehlo.custom_call @f(%x) {has_side_effect = true} : (tensor<0x3xf32>) -> tensor<0x3xf32>
  return %0, %1 : tensor<0x3xf32>, tensor<0x3xf32>
}
