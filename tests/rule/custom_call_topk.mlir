// Nothing is propagated along the dimension of which top_k keeps the largest elements
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @exact(%a: tensor<4x32xf32>) -> (tensor<4x5xf32>, tensor<4x5xi32>) {
  %0:2 = stablehlo.custom_call @mhlo.topk(%a) : (tensor<4x32xf32>) -> (tensor<4x5xf32>, tensor<4x5xi32>)
  return %0#0, %0#1 : tensor<4x5xf32>, tensor<4x5xi32>
}
func.func @approximate(%a: tensor<4x32xf32>, %i: tensor<4x32xi32>, %v: tensor<f32>, %w: tensor<i32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
  %0:2 = stablehlo.custom_call @ApproxTopK(%a, %i, %v, %w) : (tensor<4x32xf32>, tensor<4x32xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<4x8xi32>
}
