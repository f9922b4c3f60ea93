// A nest whose result has its dimensions of size 1 elsewhere than its operand is computed in the operand's memory: every iteration
// reads and writes the same element. The softmax of jax.nn.dot_product_attention is such a nest. Other transposes are not in place.
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%q: tensor<2x128x1x64xf32>, %k: tensor<2x96x64xf32>) -> (tensor<1x2x128x96xf32>, tensor<96x1x128x2xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %ones = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<1x2x128x96xf32>
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [3] x [2] : (tensor<2x128x1x64xf32>, tensor<2x96x64xf32>) -> tensor<2x128x1x96xf32>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1, 3] : (tensor<2x128x1x96xf32>) -> tensor<1x2x128x96xf32>
  %2 = stablehlo.add %1, %ones : tensor<1x2x128x96xf32>
  %3 = stablehlo.exponential %2 : tensor<1x2x128x96xf32>
  %4 = stablehlo.sine %k : tensor<2x96x64xf32>
  %5 = stablehlo.dot_general %q, %4, batching_dims = [0] x [0], contracting_dims = [3] x [2] : (tensor<2x128x1x64xf32>, tensor<2x96x64xf32>) -> tensor<2x128x1x96xf32>
  %6 = stablehlo.transpose %5, dims = [3, 2, 1, 0] : (tensor<2x128x1x96xf32>) -> tensor<96x1x128x2xf32>
  %7 = stablehlo.exponential %6 : tensor<96x1x128x2xf32>
  return %3, %7 : tensor<1x2x128x96xf32>, tensor<96x1x128x2xf32>
}
