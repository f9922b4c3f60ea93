// A value of 256 MB is live for a product behind its other reader: the nest that computes it from 8 MB also computes that reader
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%x: tensor<8192x256xf32>, %y: tensor<32xf32>) -> (tensor<8192x256xf32>, tensor<8192x8192xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<8192x256xf32>) -> tensor<8192x256x32xf32>
  %1 = stablehlo.broadcast_in_dim %y, dims = [2] : (tensor<32xf32>) -> tensor<8192x256x32xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<8192x256x32xf32>
  %3 = stablehlo.tanh %2 : tensor<8192x256x32xf32>
  %4 = stablehlo.negate %3 : tensor<8192x256x32xf32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<8192x256x32xf32>, tensor<f32>) -> tensor<8192x256xf32>
  %6 = stablehlo.dot_general %3, %3, contracting_dims = [1, 2] x [1, 2] : (tensor<8192x256x32xf32>, tensor<8192x256x32xf32>) -> tensor<8192x8192xf32>
  return %5, %6 : tensor<8192x256xf32>, tensor<8192x8192xf32>
}
