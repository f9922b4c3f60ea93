// The broadcast of the factor permutes dimensions: its components have the factor's rows along dimension 1, not 0.
// RUN: shardopt %s -shardrun-work-pipeline | grep -E "nest|yield"
func.func @main(%a: tensor<128x128xf32>, %b: tensor<128x1xf32>) -> tensor<2x128x128xf32> {
  %x = stablehlo.multiply %a, %a : tensor<128x128xf32>
  %y = stablehlo.add %a, %a : tensor<128x128xf32>
  %x1 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<128x128xf32>) -> tensor<1x128x128xf32>
  %y1 = stablehlo.broadcast_in_dim %y, dims = [1, 2] : (tensor<128x128xf32>) -> tensor<1x128x128xf32>
  %stack = stablehlo.concatenate %x1, %y1, dim = 0 : (tensor<1x128x128xf32>, tensor<1x128x128xf32>) -> tensor<2x128x128xf32>
  %rows = stablehlo.broadcast_in_dim %b, dims = [1, 2] : (tensor<128x1xf32>) -> tensor<128x128x1xf32>
  %factor = stablehlo.broadcast_in_dim %rows, dims = [1, 2, 0] : (tensor<128x128x1xf32>) -> tensor<2x128x128xf32>
  %product = stablehlo.multiply %stack, %factor : tensor<2x128x128xf32>
  %r = stablehlo.negate %product : tensor<2x128x128xf32>
  return %r : tensor<2x128x128xf32>
}
