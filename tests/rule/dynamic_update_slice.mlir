// The update of a dynamic_update_slice is replicated along sliced dimensions, unless its start is constant
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%a: tensor<32x8xf32>, %u: tensor<32x2xf32>, %i: tensor<i32>) -> (tensor<32x8xf32>, tensor<32x8xf32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %a, %u, %i, %i : (tensor<32x8xf32>, tensor<32x2xf32>, tensor<i32>, tensor<i32>) -> tensor<32x8xf32>
  %1 = stablehlo.dynamic_update_slice %a, %u, %c, %c : (tensor<32x8xf32>, tensor<32x2xf32>, tensor<i32>, tensor<i32>) -> tensor<32x8xf32>
  return %0, %1 : tensor<32x8xf32>, tensor<32x8xf32>
}
