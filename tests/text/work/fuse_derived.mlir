// 1 - tanh(x) is computed again where the derivative reads it, since tanh(x) is read there, too: the first nest writes tanh(x) alone. Not where
// tanh(x) has no reader any more, and not a transpose.
// RUN: shardopt -shardrun-lower-to-work -shardrun-fuse %s | grep -E "func.func|work.nest|yield" | sed 's/<{.*}>//'
func.func @gradient(%x: tensor<64x32xf32>, %w: tensor<32x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<64x32xf32>
  %t = stablehlo.tanh %x : tensor<64x32xf32>
  %s = stablehlo.subtract %one, %t : tensor<64x32xf32>
  %p = stablehlo.dot_general %t, %w, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  %d = stablehlo.dot_general %p, %w, contracting_dims = [1] x [1] : (tensor<64x64xf32>, tensor<32x64xf32>) -> tensor<64x32xf32>
  %1 = stablehlo.multiply %d, %s : tensor<64x32xf32>
  %2 = stablehlo.multiply %1, %t : tensor<64x32xf32>
  %3 = stablehlo.add %1, %2 : tensor<64x32xf32>
  %q = stablehlo.dot_general %3, %w, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  return %p, %q : tensor<64x64xf32>, tensor<64x64xf32>
}
func.func @read_earlier(%x: tensor<64x32xf32>, %w: tensor<32x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<64x32xf32>
  %t = stablehlo.tanh %x : tensor<64x32xf32>
  %s = stablehlo.subtract %one, %t : tensor<64x32xf32>
  %p = stablehlo.dot_general %t, %w, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  %d = stablehlo.dot_general %p, %w, contracting_dims = [1] x [1] : (tensor<64x64xf32>, tensor<32x64xf32>) -> tensor<64x32xf32>
  %1 = stablehlo.multiply %d, %s : tensor<64x32xf32>
  %q = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  return %p, %q : tensor<64x64xf32>, tensor<64x64xf32>
}
func.func @transposed(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %e = stablehlo.exponential %x : tensor<64x64xf32>
  %t = stablehlo.transpose %e, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = stablehlo.dot_general %e, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.multiply %p, %t : tensor<64x64xf32>
  %2 = stablehlo.add %1, %e : tensor<64x64xf32>
  return %e, %2 : tensor<64x64xf32>, tensor<64x64xf32>
}
