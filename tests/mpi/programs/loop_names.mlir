// A counter, and its value as a float. The names of the results contain a comma and quotes.
func.func @main(%n: tensor<i32> {tf.aliasing_output = 0 : i32}) -> (tensor<i32> {jax.result_info = "result['a,b']"}, tensor<f32> {jax.result_info = "result['say \"x\"']"}) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.add %n, %c : tensor<i32>
  %1 = stablehlo.convert %0 : (tensor<i32>) -> tensor<f32>
  return %0, %1 : tensor<i32>, tensor<f32>
}
