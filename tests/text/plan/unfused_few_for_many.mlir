// Expensive work on few elements is not fused into a nest that broadcasts them
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%x: tensor<64xf32>) -> tensor<64x32xf32> {
  %0 = stablehlo.tanh %x : tensor<64xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<64xf32>) -> tensor<64x32xf32>
  return %1 : tensor<64x32xf32>
}
