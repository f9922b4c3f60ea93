// Calls are inlined, callees first; private functions without calls are removed, public and recursive ones stay.
// RUN: shardopt %s -inline
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @twice(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @twice(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = call @seen(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = call @round(%2) : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
func.func private @twice(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @once(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @once(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @once(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %arg0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @seen(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %arg0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @round(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @round(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
