// The matrix dimensions of a triangular_solve are replicated; the side and the transposition determine which of them share a factor
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @left(%a: tensor<8x4x4xf32>, %b: tensor<8x4x3xf32>) -> tensor<8x4x3xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<8x4x4xf32>, tensor<8x4x3xf32>) -> tensor<8x4x3xf32>
  return %0 : tensor<8x4x3xf32>
}
func.func @left_transposed(%a: tensor<8x4x4xf32>, %b: tensor<8x4x3xf32>) -> tensor<8x4x3xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<8x4x4xf32>, tensor<8x4x3xf32>) -> tensor<8x4x3xf32>
  return %0 : tensor<8x4x3xf32>
}
func.func @right(%a: tensor<8x4x4xf32>, %b: tensor<8x3x4xf32>) -> tensor<8x3x4xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = false, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<8x4x4xf32>, tensor<8x3x4xf32>) -> tensor<8x3x4xf32>
  return %0 : tensor<8x3x4xf32>
}
func.func @right_transposed(%a: tensor<8x4x4xf32>, %b: tensor<8x3x4xf32>) -> tensor<8x3x4xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = false, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<8x4x4xf32>, tensor<8x3x4xf32>) -> tensor<8x3x4xf32>
  return %0 : tensor<8x3x4xf32>
}
