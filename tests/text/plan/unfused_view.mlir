// A value read through a reshape at non-affine indices stays a buffer
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%x: tensor<6x4xf32>) -> tensor<17xf32> {
  %0 = stablehlo.tanh %x : tensor<6x4xf32>
  %1 = stablehlo.reshape %0 : (tensor<6x4xf32>) -> tensor<24xf32>
  %2 = stablehlo.slice %1 [3:20] : (tensor<24xf32>) -> tensor<17xf32>
  %3 = stablehlo.negate %2 : tensor<17xf32>
  return %3 : tensor<17xf32>
}
