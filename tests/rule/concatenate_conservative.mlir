// Conservative rules propagate nothing along the concatenated dimension
// RUN: shardopt %s -sdy-populate-op-sharding-rules=conservative-propagation=true
func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x6xf32>) -> tensor<4x14xf32> {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<4x8xf32>, tensor<4x6xf32>) -> tensor<4x14xf32>
  return %0 : tensor<4x14xf32>
}
