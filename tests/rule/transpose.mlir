// A transpose permutes the factors of its dimensions
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%a: tensor<256x32x64xf32>) -> tensor<32x64x256xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 2, 0] : (tensor<256x32x64xf32>) -> tensor<32x64x256xf32>
  return %0 : tensor<32x64x256xf32>
}
