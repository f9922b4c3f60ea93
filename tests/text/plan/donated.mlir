// Results use the memory of donated arguments, the declared one first; the third argument is not donated
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<64xf32> {tf.aliasing_output = 1 : i32}, %b: tensor<64xf32> {jax.buffer_donor = true}, %c: tensor<64xf32>)
    -> (tensor<f32>, tensor<64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %x = stablehlo.multiply %b, %c : tensor<64xf32>
  %y = stablehlo.reverse %x, dims = [0] : tensor<64xf32>
  %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
  %z = stablehlo.reverse %a, dims = [0] : tensor<64xf32>
  %w = stablehlo.subtract %a, %z : tensor<64xf32>
  return %s, %w : tensor<f32>, tensor<64xf32>
}
