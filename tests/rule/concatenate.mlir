// The concatenated dimension is replicated, or gets a permutation factor, with which each operand moves to its place in the result
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x6xf32>) -> tensor<4x14xf32> {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<4x8xf32>, tensor<4x6xf32>) -> tensor<4x14xf32>
  return %0 : tensor<4x14xf32>
}
func.func @roll(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.slice %a [3:8] : (tensor<8xf32>) -> tensor<5xf32>
  %1 = stablehlo.slice %a [0:3] : (tensor<8xf32>) -> tensor<3xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<5xf32>, tensor<3xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
// slices and values of another source are gathered; a slice and the rest of its source move
func.func @two_sources(%a: tensor<8xf32>, %b: tensor<5xf32>) -> tensor<8xf32> {
  %0 = stablehlo.slice %a [0:3] : (tensor<8xf32>) -> tensor<3xf32>
  %1 = stablehlo.concatenate %0, %b, dim = 0 : (tensor<3xf32>, tensor<5xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func @copied_border(%a: tensor<8xf32>) -> tensor<9xf32> {
  %0 = stablehlo.slice %a [7:8] : (tensor<8xf32>) -> tensor<1xf32>
  %1 = stablehlo.concatenate %0, %a, dim = 0 : (tensor<1xf32>, tensor<8xf32>) -> tensor<9xf32>
  return %1 : tensor<9xf32>
}
