// The additional innermost dimension of the narrower type of a bitcast_convert is replicated
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @widen(%a: tensor<4x2x2xui32>) -> tensor<4x2xui64> {
  %0 = stablehlo.bitcast_convert %a : (tensor<4x2x2xui32>) -> tensor<4x2xui64>
  return %0 : tensor<4x2xui64>
}
func.func @narrow(%a: tensor<4x2xui64>) -> tensor<4x2x2xui32> {
  %0 = stablehlo.bitcast_convert %a : (tensor<4x2xui64>) -> tensor<4x2x2xui32>
  return %0 : tensor<4x2x2xui32>
}
func.func @same(%a: tensor<4x2xi32>) -> tensor<4x2xf32> {
  %0 = stablehlo.bitcast_convert %a : (tensor<4x2xi32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
