// A reader at index 0 of a dimension of extent 1 and a reader along that dimension's loop are fused.
// RUN: shardopt %s -shardrun-lower-to-work -shardrun-fuse -cse
func.func @softmax(%x: tensor<8x1x512xf32>) -> tensor<8x1x512xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %x : tensor<8x1x512xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<8x1x512xf32>, tensor<f32>) -> tensor<8x1xf32>
  %2 = stablehlo.reshape %1 : (tensor<8x1xf32>) -> tensor<8x1x1xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<8x1x1xf32>) -> tensor<8x1x512xf32>
  %4 = stablehlo.divide %0, %3 : tensor<8x1x512xf32>
  return %4 : tensor<8x1x512xf32>
}
