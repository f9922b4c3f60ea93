// A roll copies both slices from its operand; a slice with another reader is materialized, and so is a transposed one
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<8x256xf32>, %b: tensor<256x8xf32>) -> (tensor<8x256xf32>, tensor<8x256xf32>, tensor<8x1xf32>) {
  %0 = stablehlo.slice %a [0:8, 255:256] : (tensor<8x256xf32>) -> tensor<8x1xf32>
  %1 = stablehlo.slice %a [0:8, 0:255] : (tensor<8x256xf32>) -> tensor<8x255xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<8x1xf32>, tensor<8x255xf32>) -> tensor<8x256xf32>
  %3 = stablehlo.slice %a [0:8, 0:1] : (tensor<8x256xf32>) -> tensor<8x1xf32>
  %4 = stablehlo.transpose %b, dims = [1, 0] : (tensor<256x8xf32>) -> tensor<8x256xf32>
  %5 = stablehlo.slice %4 [0:8, 0:255] : (tensor<8x256xf32>) -> tensor<8x255xf32>
  %6 = stablehlo.concatenate %3, %5, dim = 1 : (tensor<8x1xf32>, tensor<8x255xf32>) -> tensor<8x256xf32>
  return %2, %6, %3 : tensor<8x256xf32>, tensor<8x256xf32>, tensor<8x1xf32>
}
