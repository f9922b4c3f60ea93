// Common divisors of the two shapes of a reshape are common factors
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @merge(%a: tensor<2x4x32xf32>) -> tensor<8x32xf32> {
  %0 = stablehlo.reshape %a : (tensor<2x4x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}
func.func @diverge(%a: tensor<4x9xf32>) -> tensor<6x6xf32> {
  %0 = stablehlo.reshape %a : (tensor<4x9xf32>) -> tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}
func.func @ones(%a: tensor<1x5x2x3xf32>) -> tensor<5x1x6xf32> {
  %0 = stablehlo.reshape %a : (tensor<1x5x2x3xf32>) -> tensor<5x1x6xf32>
  return %0 : tensor<5x1x6xf32>
}
func.func @coprime(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
func.func @empty(%a: tensor<0x4xf32>) -> tensor<4x0xf32> {
  %0 = stablehlo.reshape %a : (tensor<0x4xf32>) -> tensor<4x0xf32>
  return %0 : tensor<4x0xf32>
}
