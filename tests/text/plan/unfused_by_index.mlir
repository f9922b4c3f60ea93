// A value read at dynamic indices is not fused and stays a buffer
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%x: tensor<64xf32>, %at: tensor<i32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %x : tensor<64xf32>
  %1 = stablehlo.dynamic_slice %0, %at, sizes = [8] : (tensor<64xf32>, tensor<i32>) -> tensor<8xf32>
  %2 = stablehlo.negate %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}
