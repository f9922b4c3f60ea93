// A sum over a dimension of extent 1 is squared and summed again: after fusion, the first sum does not use the second sum's loop
// RUN: shardrun --interpret %s --input="3xf32=4 8 12" --expected-output=f32=224 >/dev/null
func.func @main(%x: tensor<3xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reshape %x : (tensor<3xf32>) -> tensor<1x3xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1x3xf32>, tensor<f32>) -> tensor<3xf32>
  %2 = stablehlo.multiply %1, %1 : tensor<3xf32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
