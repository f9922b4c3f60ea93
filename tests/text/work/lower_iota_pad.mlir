// An iota is the loop index; a pad reads its operand within bounds and the padding elsewhere
// RUN: shardopt %s -shardrun-lower-to-work
func.func @main(%x: tensor<4x3xf32>, %p: tensor<f32>) -> (tensor<4xi32>, tensor<9x4xf32>) {
  %i = stablehlo.iota dim = 0 : tensor<4xi32>
  %r = stablehlo.pad %x, %p, low = [1, 0], high = [1, 1], interior = [1, 0] : (tensor<4x3xf32>, tensor<f32>) -> tensor<9x4xf32>
  return %i, %r : tensor<4xi32>, tensor<9x4xf32>
}
