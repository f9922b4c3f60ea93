// The columns at the border of an image are repeated by the nest that reads them from the image and its halo, as they are few
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%x: tensor<62x64xf32>, %halo: tensor<2x64xf32>) -> tensor<64x3xf32> {
  %0 = stablehlo.slice %x [0:62, 63:64] : (tensor<62x64xf32>) -> tensor<62x1xf32>
  %1 = stablehlo.slice %halo [0:2, 63:64] : (tensor<2x64xf32>) -> tensor<2x1xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<62x1xf32>, tensor<2x1xf32>) -> tensor<64x1xf32>
  %3 = stablehlo.negate %2 : tensor<64x1xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x3xf32>
  return %4 : tensor<64x3xf32>
}
