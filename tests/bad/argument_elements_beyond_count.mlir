// An argument whose number of elements exceeds 64 bits is refused as too large, not as of unknown shape.
// RUN: shardrun %s --run=false
// EXIT: 5
func.func @main(%arg0: tensor<9999999999999x9999999999999xf32>) -> tensor<9999999999999x9999999999999xf32> {
  return %arg0 : tensor<9999999999999x9999999999999xf32>
}
