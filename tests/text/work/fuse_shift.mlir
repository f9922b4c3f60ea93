// An array shifted by a row, whose last row is that of a neighbour, has two readers, and the second also reads a row of the first
// one's result, as on a staggered grid: both read the operands of the concatenation, and the shifted array is not written.
// RUN: shardopt %s -shardrun-work-pipeline
func.func @main(%p: tensor<128x256xf32>, %halo: tensor<1x256xf32>, %q: tensor<128x256xf32>)
    -> (tensor<128x256xf32>, tensor<128x256xf32>) {
  %rows = stablehlo.slice %p [1:128, 0:256] : (tensor<128x256xf32>) -> tensor<127x256xf32>
  %below = stablehlo.concatenate %rows, %halo, dim = 0 : (tensor<127x256xf32>, tensor<1x256xf32>) -> tensor<128x256xf32>
  %1 = stablehlo.multiply %q, %below : tensor<128x256xf32>
  %first = stablehlo.slice %1 [0:1, 0:256] : (tensor<128x256xf32>) -> tensor<1x256xf32>
  %next = "stablehlo.collective_permute"(%first) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}
    : (tensor<1x256xf32>) -> tensor<1x256xf32>
  %others = stablehlo.slice %1 [1:128, 0:256] : (tensor<128x256xf32>) -> tensor<127x256xf32>
  %moved = stablehlo.concatenate %others, %next, dim = 0 : (tensor<127x256xf32>, tensor<1x256xf32>) -> tensor<128x256xf32>
  %2 = stablehlo.subtract %moved, %1 : tensor<128x256xf32>
  %3 = stablehlo.multiply %2, %below : tensor<128x256xf32>
  return %1, %3 : tensor<128x256xf32>, tensor<128x256xf32>
}
