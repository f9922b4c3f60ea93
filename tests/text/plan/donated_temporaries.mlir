// Temporaries use the memory of donated arguments after their last use, never of others
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<8x8xf32> {jax.buffer_donor = true}, %b: tensor<8x8xf32>, %c: tensor<8x8xf32> {jax.buffer_donor = true}) -> tensor<8x4xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.dot_general %1, %c, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = stablehlo.dot_general %2, %0, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %4 = stablehlo.slice %3 [0:8, 2:6] : (tensor<8x8xf32>) -> tensor<8x4xf32>
  return %4 : tensor<8x4xf32>
}
