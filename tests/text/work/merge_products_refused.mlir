// Products that stay as they are: each of two pairs would be computed after the other (only the first pair is merged); an op with effects reads a product;
// other precision; a product that a sum reads has another reader; more than 64 rows; products of integers, which wrap, truncated ones, and those of f16, whose
// sum could overflow, are converted before their sum
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
func.func @converted(%a: tensor<2x4xi8>, %b: tensor<2x4xi8>, %c: tensor<2x4xf32>, %d: tensor<2x4xf32>, %h: tensor<2x4xf16>, %k: tensor<2x4xf16>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %p = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<2x4xi8>, tensor<2x4xi8>) -> tensor<4x4xi8>
  %q = stablehlo.dot_general %b, %a, contracting_dims = [0] x [0] : (tensor<2x4xi8>, tensor<2x4xi8>) -> tensor<4x4xi8>
  %pf = stablehlo.convert %p : (tensor<4x4xi8>) -> tensor<4x4xf32>
  %qf = stablehlo.convert %q : (tensor<4x4xi8>) -> tensor<4x4xf32>
  %s = stablehlo.add %pf, %qf : tensor<4x4xf32>
  %r = stablehlo.dot_general %c, %d, contracting_dims = [0] x [0] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %t = stablehlo.dot_general %d, %c, contracting_dims = [0] x [0] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %ri = stablehlo.convert %r : (tensor<4x4xf32>) -> tensor<4x4xi32>
  %ti = stablehlo.convert %t : (tensor<4x4xf32>) -> tensor<4x4xi32>
  %rf = stablehlo.convert %ri : (tensor<4x4xi32>) -> tensor<4x4xf32>
  %tf = stablehlo.convert %ti : (tensor<4x4xi32>) -> tensor<4x4xf32>
  %u = stablehlo.add %rf, %tf : tensor<4x4xf32>
  %v = stablehlo.dot_general %h, %k, contracting_dims = [0] x [0] : (tensor<2x4xf16>, tensor<2x4xf16>) -> tensor<4x4xf16>
  %w = stablehlo.dot_general %k, %h, contracting_dims = [0] x [0] : (tensor<2x4xf16>, tensor<2x4xf16>) -> tensor<4x4xf16>
  %vf = stablehlo.convert %v : (tensor<4x4xf16>) -> tensor<4x4xf32>
  %wf = stablehlo.convert %w : (tensor<4x4xf16>) -> tensor<4x4xf32>
  %y = stablehlo.add %vf, %wf : tensor<4x4xf32>
  return %s, %u, %y : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}
