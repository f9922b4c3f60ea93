// Conservative rules propagate nothing along padded dimensions
// RUN: shardopt %s -sdy-populate-op-sharding-rules=conservative-propagation=true
func.func @main(%a: tensor<28x16xf32>, %z: tensor<f32>) -> tensor<30x16xf32> {
  %0 = stablehlo.pad %a, %z, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<28x16xf32>, tensor<f32>) -> tensor<30x16xf32>
  return %0 : tensor<30x16xf32>
}
