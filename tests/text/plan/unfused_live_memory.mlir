// Results of one nest are live at the same time: a value of 256 MB for a product is not fused with a consumer
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%x: tensor<8192x8192xf32>) -> (tensor<8192xf32>, tensor<8192x8192xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.tanh %x : tensor<8192x8192xf32>
  %1 = stablehlo.negate %0 : tensor<8192x8192xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8192x8192xf32>, tensor<f32>) -> tensor<8192xf32>
  %3 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [0] : (tensor<8192x8192xf32>, tensor<8192x8192xf32>) -> tensor<8192x8192xf32>
  return %2, %3 : tensor<8192xf32>, tensor<8192x8192xf32>
}
