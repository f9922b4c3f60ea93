func.func public @main(%w: tensor<16xf32> {jax.buffer_donor = true}, %x: tensor<64xf32>) -> (tensor<16xf32>, tensor<64xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reverse %w, dims = [0] : tensor<16xf32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<64xf32>
  %3 = stablehlo.add %x, %2 : tensor<64xf32>
  return %0, %3 : tensor<16xf32>, tensor<64xf32>
}
