// A value that is also returned, and read in another order, is not fused
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%x: tensor<64x64xf32>) -> (tensor<64xf32>, tensor<64x64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.tanh %x : tensor<64x64xf32>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<64x64xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %2, %0 : tensor<64xf32>, tensor<64x64xf32>
}
