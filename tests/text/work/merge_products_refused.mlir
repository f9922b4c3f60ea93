// Products that stay as they are: each of two pairs would be computed after the other (only the first pair is merged); an op with effects reads a product;
// other precision; a product that a sum reads has another reader; more than 64 rows
// RUN: shardopt %s -shardrun-merge-products='mode=on' | grep -c dot_general
func.func @cycle(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>, %w: tensor<4x4xf32>, %u: tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %a1 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %b1 = stablehlo.dot_general %y, %u, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %a2 = stablehlo.dot_general %b1, %w, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %b2 = stablehlo.dot_general %a1, %u, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return %a2, %b2 : tensor<2x4xf32>, tensor<2x4xf32>
}
func.func @effect(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>, %w: tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %c = stablehlo.custom_call @print(%a) {has_side_effect = true} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %b = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return %c, %b : tensor<2x4xf32>, tensor<2x4xf32>
}
func.func @other(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>, %z: tensor<65x4xf32>, %w: tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<65x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %b = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %c = stablehlo.dot_general %z, %w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<65x4xf32>, tensor<4x4xf32>) -> tensor<65x4xf32>
  %d = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %e = stablehlo.dot_general %y, %x, contracting_dims = [0] x [0] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %s = stablehlo.add %d, %e : tensor<4x4xf32>
  return %a, %b, %c, %e, %s : tensor<2x4xf32>, tensor<2x4xf32>, tensor<65x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}
