// The rule of a dot_general has batch dimensions first, then the free dimensions of each side, then the contracting ones
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%a: tensor<4x8x32xf32>, %b: tensor<4x32x16xf32>) -> tensor<4x8x16xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x8x32xf32>, tensor<4x32x16xf32>) -> tensor<4x8x16xf32>
  return %0 : tensor<4x8x16xf32>
}
