// The sum of a row is stored without being broadcast; each reader broadcasts it.
// RUN: shardopt %s -shardrun-lower-to-work -shardrun-fuse -cse
func.func @row_sum(%x: tensor<64x512xf32>, %w: tensor<512x512xf32>) -> (tensor<64x512xf32>, tensor<64x512xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x512xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<64xf32>) -> tensor<64x512xf32>
  %2 = stablehlo.divide %x, %1 : tensor<64x512xf32>
  %3 = stablehlo.dot %2, %w : (tensor<64x512xf32>, tensor<512x512xf32>) -> tensor<64x512xf32>
  %4 = stablehlo.subtract %3, %1 : tensor<64x512xf32>
  return %2, %4 : tensor<64x512xf32>, tensor<64x512xf32>
}
