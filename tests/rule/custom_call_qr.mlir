// The matrix dimensions of a QR decomposition are replicated; the second result has a dimension of its own
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%a: tensor<2x8x6xf32>, %t: tensor<2x6xf32>) -> (tensor<2x8x6xf32>, tensor<2x8x6xf32>, tensor<2x6xf32>) {
  %0:2 = stablehlo.custom_call @Qr(%a) : (tensor<2x8x6xf32>) -> (tensor<2x8x6xf32>, tensor<2x6xf32>)
  %1 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%0#0, %t) : (tensor<2x8x6xf32>, tensor<2x6xf32>) -> tensor<2x8x6xf32>
  return %1, %0#0, %0#1 : tensor<2x8x6xf32>, tensor<2x8x6xf32>, tensor<2x6xf32>
}
