// Sums that are read in another order than they are computed are not fused
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%x: tensor<64x16xf32>) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x16xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<64xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<64xf32>
  return %2 : tensor<64xf32>
}
