// Custom calls of known targets have rules, those of other targets have none
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%a: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = stablehlo.custom_call @mhlo.erf(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.custom_call @tpu_custom_call(%0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}
