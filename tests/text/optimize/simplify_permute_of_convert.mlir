// A border of integers that are widened first is sent before they are widened; a select between borders does not widen them.
// RUN: shardopt %s -shardrun-simplify -dce -cse
func.func @border(%im: tensor<8x8xui8>, %first: tensor<i1>) -> tensor<8x8xi32> {
  %0 = stablehlo.convert %im : (tensor<8x8xui8>) -> tensor<8x8xi32>
  %1 = stablehlo.slice %0 [6:8, 0:8] : (tensor<8x8xi32>) -> tensor<2x8xi32>
  %2 = "stablehlo.collective_permute"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x8xi32>) -> tensor<2x8xi32>
  %3 = stablehlo.slice %0 [1:3, 0:8] : (tensor<8x8xi32>) -> tensor<2x8xi32>
  %4 = stablehlo.reverse %3, dims = [0] : tensor<2x8xi32>
  %5 = stablehlo.select %first, %4, %2 : tensor<i1>, tensor<2x8xi32>
  %6 = stablehlo.slice %0 [0:6, 0:8] : (tensor<8x8xi32>) -> tensor<6x8xi32>
  %7 = stablehlo.concatenate %5, %6, dim = 0 : (tensor<2x8xi32>, tensor<6x8xi32>) -> tensor<8x8xi32>
  return %7 : tensor<8x8xi32>
}
