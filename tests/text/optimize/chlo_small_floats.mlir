// Floats of less than 32 bits are computed in f32 and rounded once.
// RUN: shardopt %s -chlo-legalize-to-stablehlo
func.func @main(%arg0: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<4xbf16>) {
  %0 = chlo.cosh %arg0 : tensor<4xbf16> -> tensor<4xbf16>
  %1 = chlo.square %arg0 : tensor<4xbf16> -> tensor<4xbf16>
  return %0, %1 : tensor<4xbf16>, tensor<4xbf16>
}
