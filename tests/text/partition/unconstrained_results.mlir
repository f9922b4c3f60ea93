// Results are unconstrained if they have no annotation and are not an argument's next value. %w is no next value: its type has more results than arguments
// RUN: shardopt -shardrun-mark-unconstrained-results --split-input-file %s
sdy.mesh @mesh = <["x"=2]>
func.func @main(%w: tensor<8x4xf32>, %x: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<16x4xf32>, tensor<8x4xf32>, tensor<f32>, tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %w, %zero, %1 : tensor<16x4xf32>, tensor<8x4xf32>, tensor<f32>, tensor<4xf32>
}

// -----

// Donated to it, or to any result of its type
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {tf.aliasing_output = 1 : i32}, %b: tensor<4xf32> {jax.buffer_donor = true}) -> (tensor<8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>) {
  return %a, %a, %b, %b : tensor<8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>
}
