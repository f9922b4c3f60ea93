// chlo.constant_like of a static, a bounded and a dynamic shape becomes a constant, broadcast if the shape is not static.
// RUN: shardopt %s -chlo-legalize-to-stablehlo
func.func @fixed(%a: tensor<2x3xi8>) -> tensor<2x3xf32> {
  %0 = "chlo.constant_like"(%a) <{value = 1.5 : f32}> : (tensor<2x3xi8>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func @bounded(%a: tensor<?x3xi8, #stablehlo.bounds<2, ?>>) -> tensor<?x3xf32, #stablehlo.bounds<2, ?>> {
  %0 = "chlo.constant_like"(%a) <{value = 1.5 : f32}> : (tensor<?x3xi8, #stablehlo.bounds<2, ?>>) -> tensor<?x3xf32, #stablehlo.bounds<2, ?>>
  return %0 : tensor<?x3xf32, #stablehlo.bounds<2, ?>>
}
func.func @unknown(%a: tensor<?x3xi8>) -> tensor<?x3xf32> {
  %0 = "chlo.constant_like"(%a) <{value = 1.5 : f32}> : (tensor<?x3xi8>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
