// A roll copies both slices from its operand; a slice with another reader is materialized, and so is a transposed one
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<8x16xf32>, %b: tensor<16x8xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x1xf32>) {
  %0 = stablehlo.slice %a [0:8, 15:16] : (tensor<8x16xf32>) -> tensor<8x1xf32>
  %1 = stablehlo.slice %a [0:8, 0:15] : (tensor<8x16xf32>) -> tensor<8x15xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<8x1xf32>, tensor<8x15xf32>) -> tensor<8x16xf32>
  %3 = stablehlo.slice %a [0:8, 0:1] : (tensor<8x16xf32>) -> tensor<8x1xf32>
  %4 = stablehlo.transpose %b, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
  %5 = stablehlo.slice %4 [0:8, 0:15] : (tensor<8x16xf32>) -> tensor<8x15xf32>
  %6 = stablehlo.concatenate %3, %5, dim = 1 : (tensor<8x1xf32>, tensor<8x15xf32>) -> tensor<8x16xf32>
  return %2, %6, %3 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x1xf32>
}
