// A chlo op on an unranked tensor is an error.
// RUN: shardopt %s -chlo-legalize-to-stablehlo
// EXIT: 1
func.func @main(%arg0: tensor<*xf32>) -> tensor<*xf32> {
  %0 = chlo.asin %arg0 : tensor<*xf32> -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
