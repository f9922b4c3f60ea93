// A maximum over neighbours whose result has the channels first reads an array with the channels last: the loop over the channels becomes the last
// parallel loop. Not if the result is not much smaller, if another large operand has other adjacent elements, or if sums are over adjacent elements.
// RUN: shardopt -shardrun-lower-to-work -shardrun-fuse %s | grep -E "func.func|work.nest" | sed 's/"work.nest".*indexing_maps = \[\(.*\)\], loops = \(.*\), parallel.*result_indexing_maps = \(.*\)}>.*/\1, loops \2, to \3/'
func.func @neighbours(%x: tensor<2x32x20x64xf32>, %bias: tensor<64xf32>) -> tensor<2x64x32xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %t = stablehlo.transpose %x, dims = [0, 3, 1, 2] : (tensor<2x32x20x64xf32>) -> tensor<2x64x32x20xf32>
  %b = stablehlo.broadcast_in_dim %bias, dims = [1] : (tensor<64xf32>) -> tensor<2x64x32x20xf32>
  %s = stablehlo.add %t, %b : tensor<2x64x32x20xf32>
  %r = stablehlo.reduce(%s init: %low) applies stablehlo.maximum across dimensions = [3] : (tensor<2x64x32x20xf32>, tensor<f32>) -> tensor<2x64x32xf32>
  return %r : tensor<2x64x32xf32>
}
func.func @large_result(%x: tensor<2x512x4x64xf32>) -> tensor<2x64x512xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %t = stablehlo.transpose %x, dims = [0, 3, 1, 2] : (tensor<2x512x4x64xf32>) -> tensor<2x64x512x4xf32>
  %n = stablehlo.negate %t : tensor<2x64x512x4xf32>
  %r = stablehlo.reduce(%n init: %low) applies stablehlo.maximum across dimensions = [3] : (tensor<2x64x512x4xf32>, tensor<f32>) -> tensor<2x64x512xf32>
  return %r : tensor<2x64x512xf32>
}
func.func @two_orders(%x: tensor<2x32x20x64xf32>, %y: tensor<2x64x32x20xf32>) -> tensor<2x64x32xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %t = stablehlo.transpose %x, dims = [0, 3, 1, 2] : (tensor<2x32x20x64xf32>) -> tensor<2x64x32x20xf32>
  %s = stablehlo.add %t, %y : tensor<2x64x32x20xf32>
  %r = stablehlo.reduce(%s init: %low) applies stablehlo.maximum across dimensions = [3] : (tensor<2x64x32x20xf32>, tensor<f32>) -> tensor<2x64x32xf32>
  return %r : tensor<2x64x32xf32>
}
func.func @rows(%x: tensor<32x64x40xf32>) -> tensor<64x32xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %t = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<32x64x40xf32>) -> tensor<64x32x40xf32>
  %n = stablehlo.negate %t : tensor<64x32x40xf32>
  %r = stablehlo.reduce(%n init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<64x32x40xf32>, tensor<f32>) -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}
