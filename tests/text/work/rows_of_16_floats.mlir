// Rows of 16 floats are summed as vectors: in 16 lanes, which are added by halves
// RUN: shardrun --quiet %s --input=16xf32="16777216 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1" --input=32x1xf32=1
func.func @main(%x: tensor<16xf32>, %s: tensor<32x1xf32>) -> tensor<32xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<16xf32>) -> tensor<32x16xf32>
  %1 = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<32x1xf32>) -> tensor<32x16xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<32x16xf32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<32x16xf32>, tensor<f32>) -> tensor<32xf32>
  %large = stablehlo.constant dense<16777216.0> : tensor<32xf32>
  %4 = stablehlo.subtract %3, %large : tensor<32xf32>
  return %4 : tensor<32xf32>
}
