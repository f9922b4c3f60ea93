// A large gradient that is stored with the channels last is not computed in the nest that sums it along rows of the channels-first
// operand: it would be written with large strides. A small one is, as the caches hold it until its rows are complete.
// RUN: shardopt -shardrun-lower-to-work -shardrun-fuse %s
func.func @main(%g: tensor<8x32x64x128xf32>, %small: tensor<2x8x16x16xf32>) -> (tensor<8x64x128x32xf32>, tensor<32xf32>, tensor<2x16x16x8xf32>, tensor<8xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %g, %g : tensor<8x32x64x128xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<8x32x64x128xf32>, tensor<f32>) -> tensor<32xf32>
  %2 = stablehlo.transpose %0, dims = [0, 2, 3, 1] : (tensor<8x32x64x128xf32>) -> tensor<8x64x128x32xf32>
  %3 = stablehlo.multiply %small, %small : tensor<2x8x16x16xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<2x8x16x16xf32>, tensor<f32>) -> tensor<8xf32>
  %5 = stablehlo.transpose %3, dims = [0, 2, 3, 1] : (tensor<2x8x16x16xf32>) -> tensor<2x16x16x8xf32>
  return %2, %1, %5, %4 : tensor<8x64x128x32xf32>, tensor<32xf32>, tensor<2x16x16x8xf32>, tensor<8xf32>
}
