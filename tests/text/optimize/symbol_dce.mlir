// Private functions that no public function reaches are removed; meshes, and symbols that refer to them, stay.
// RUN: shardopt %s -symbol-dce
sdy.mesh @mesh = <["a"=2]>
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @a(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @a(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}
func.func private @b(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @c(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @c(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}
