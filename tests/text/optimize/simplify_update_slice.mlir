// A dynamic_update_slice of all elements is its update, one of no elements its operand.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>, %none: tensor<0xf32>, %at: tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %x, %y, %zero : (tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  %1 = stablehlo.dynamic_update_slice %x, %none, %at : (tensor<4xf32>, tensor<0xf32>, tensor<i32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
