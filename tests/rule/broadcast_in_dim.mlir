// Dimensions that a broadcast_in_dim keeps have pass-through factors; an expanded one has no factor in common with the result
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%a: tensor<8x1xf32>) -> tensor<4x8x16xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<8x1xf32>) -> tensor<4x8x16xf32>
  return %0 : tensor<4x8x16xf32>
}
