// sdy-pre-order-funcs orders functions by their first calls.
// RUN: shardopt %s -sdy-pre-order-funcs
func.func private @c(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func private @b(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @c(%a) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @b(%a) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
