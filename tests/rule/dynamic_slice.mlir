// Nothing is propagated along the sliced dimensions of a dynamic_slice
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%a: tensor<32x4x8xf32>, %i: tensor<i32>) -> tensor<32x1x2xf32> {
  %0 = stablehlo.dynamic_slice %a, %i, %i, %i, sizes = [32, 1, 2] : (tensor<32x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<32x1x2xf32>
  return %0 : tensor<32x1x2xf32>
}
