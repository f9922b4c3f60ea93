// Expensive work on few elements with several broadcast readers is done once
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%x: tensor<64xf32>, %y: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %0 = stablehlo.tanh %x : tensor<64xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<64xf32>) -> tensor<32x64xf32>
  %2 = stablehlo.multiply %1, %y : tensor<32x64xf32>
  return %2 : tensor<32x64xf32>
}
