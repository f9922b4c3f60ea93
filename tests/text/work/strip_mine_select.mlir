// Attention in blocks whose masked scores are elements of an argument, the third operand of select: the loop reads its block of rows.
// RUN: shardopt %s -shardrun-strip-mine=mode=on | grep -o "dynamic_slice %arg[34].*sizes = .*\]"
func.func @main(%q: tensor<2x4x32x8xf32>, %k: tensor<2x4x32x8xf32>, %v: tensor<2x4x32x8xf32>, %m: tensor<2x4x32x32xi1>, %z: tensor<2x4x32x32xf32>) -> tensor<2x4x32x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x32x8xf32>, tensor<2x4x32x8xf32>) -> tensor<2x4x32x32xf32>
  %t = stablehlo.select %m, %s, %z : tensor<2x4x32x32xi1>, tensor<2x4x32x32xf32>
  %e = stablehlo.tanh %t : tensor<2x4x32x32xf32>
  %o = stablehlo.dot_general %e, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x32x32xf32>, tensor<2x4x32x8xf32>) -> tensor<2x4x32x8xf32>
  return %o : tensor<2x4x32x8xf32>
}
