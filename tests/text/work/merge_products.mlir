// An unrolled recurrence: x1 @ w^T and x2 @ w^T are one product, whose users follow it; h @ u stays, since the second one depends on the first. The sum of
// two products, with their transposes, is one product whose operands are concatenated; its third term stays.
// RUN: shardopt %s -shardrun-merge-products='mode=on'
func.func @main(%x1: tensor<2x4xf32>, %x2: tensor<2x4xf32>, %w: tensor<5x4xf32>, %u: tensor<5x5xf32>) -> (tensor<2x5xf32>, tensor<4x5xf32>) {
  %t1 = stablehlo.transpose %w, dims = [1, 0] : (tensor<5x4xf32>) -> tensor<4x5xf32>
  %a = stablehlo.dot_general %x1, %t1, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  %h1 = stablehlo.tanh %a : tensor<2x5xf32>
  %r1 = stablehlo.dot_general %h1, %u, contracting_dims = [1] x [0] : (tensor<2x5xf32>, tensor<5x5xf32>) -> tensor<2x5xf32>
  %t2 = stablehlo.transpose %w, dims = [1, 0] : (tensor<5x4xf32>) -> tensor<4x5xf32>
  %b = stablehlo.dot_general %x2, %t2, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  %s = stablehlo.add %r1, %b : tensor<2x5xf32>
  %h2 = stablehlo.tanh %s : tensor<2x5xf32>
  %r2 = stablehlo.dot_general %h2, %u, contracting_dims = [1] x [0] : (tensor<2x5xf32>, tensor<5x5xf32>) -> tensor<2x5xf32>
  %g1 = stablehlo.dot_general %h1, %x1, contracting_dims = [0] x [0] : (tensor<2x5xf32>, tensor<2x4xf32>) -> tensor<5x4xf32>
  %g1t = stablehlo.transpose %g1, dims = [1, 0] : (tensor<5x4xf32>) -> tensor<4x5xf32>
  %g2 = stablehlo.dot_general %h2, %x2, contracting_dims = [0] x [0] : (tensor<2x5xf32>, tensor<2x4xf32>) -> tensor<5x4xf32>
  %g2t = stablehlo.transpose %g2, dims = [1, 0] : (tensor<5x4xf32>) -> tensor<4x5xf32>
  %g = stablehlo.add %g1t, %t1 : tensor<4x5xf32>
  %sum = stablehlo.add %g2t, %g : tensor<4x5xf32>
  return %r2, %sum : tensor<2x5xf32>, tensor<4x5xf32>
}
// the weights are the left operand, and the products have different numbers of columns
func.func @columns(%x: tensor<4x2xf32>, %y: tensor<4x3xf32>, %w: tensor<5x4xf32>) -> (tensor<5x2xf32>, tensor<5x3xf32>) {
  %a = stablehlo.dot_general %w, %x, contracting_dims = [1] x [0] : (tensor<5x4xf32>, tensor<4x2xf32>) -> tensor<5x2xf32>
  %b = stablehlo.dot_general %w, %y, contracting_dims = [1] x [0] : (tensor<5x4xf32>, tensor<4x3xf32>) -> tensor<5x3xf32>
  return %a, %b : tensor<5x2xf32>, tensor<5x3xf32>
}
