// The elementwise ops of a rotary embedding read the halves that are concatenated, and one nest computes both halves of the result. A
// concatenation of arguments, or one with two users, stays; so does one whose user widens the elements.
// RUN: shardopt -shardrun-lower-to-work -shardrun-fuse %s
func.func @main(%x: tensor<4x32x64xf32>, %c: tensor<32x64xf32>, %s: tensor<32x64xf32>, %y: tensor<4x32x64xf32>) -> (tensor<4x32x64xf32>, tensor<4x64x64xf32>, tensor<4x64x64xf32>, tensor<4x64x64xf32>, tensor<4x64x64xf64>) {
  %low = stablehlo.slice %x [0:4, 0:32, 0:32] : (tensor<4x32x64xf32>) -> tensor<4x32x32xf32>
  %high = stablehlo.slice %x [0:4, 0:32, 32:64] : (tensor<4x32x64xf32>) -> tensor<4x32x32xf32>
  %negated = stablehlo.negate %high : tensor<4x32x32xf32>
  %rotated = stablehlo.concatenate %negated, %low, dim = 2 : (tensor<4x32x32xf32>, tensor<4x32x32xf32>) -> tensor<4x32x64xf32>
  %cosines = stablehlo.broadcast_in_dim %c, dims = [1, 2] : (tensor<32x64xf32>) -> tensor<4x32x64xf32>
  %sines = stablehlo.broadcast_in_dim %s, dims = [1, 2] : (tensor<32x64xf32>) -> tensor<4x32x64xf32>
  %0 = stablehlo.multiply %x, %cosines : tensor<4x32x64xf32>
  %1 = stablehlo.multiply %rotated, %sines : tensor<4x32x64xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x32x64xf32>
  %of_arguments = stablehlo.concatenate %x, %y, dim = 1 : (tensor<4x32x64xf32>, tensor<4x32x64xf32>) -> tensor<4x64x64xf32>
  %3 = stablehlo.exponential %of_arguments : tensor<4x64x64xf32>
  %opposite = stablehlo.negate %y : tensor<4x32x64xf32>
  %used_twice = stablehlo.concatenate %opposite, %opposite, dim = 1 : (tensor<4x32x64xf32>, tensor<4x32x64xf32>) -> tensor<4x64x64xf32>
  %4 = stablehlo.exponential %used_twice : tensor<4x64x64xf32>
  %sine = stablehlo.sine %y : tensor<4x32x64xf32>
  %cosine = stablehlo.cosine %y : tensor<4x32x64xf32>
  %narrow = stablehlo.concatenate %sine, %cosine, dim = 1 : (tensor<4x32x64xf32>, tensor<4x32x64xf32>) -> tensor<4x64x64xf32>
  %5 = stablehlo.convert %narrow : (tensor<4x64x64xf32>) -> tensor<4x64x64xf64>
  return %2, %3, %used_twice, %4, %5 : tensor<4x32x64xf32>, tensor<4x64x64xf32>, tensor<4x64x64xf32>, tensor<4x64x64xf32>, tensor<4x64x64xf64>
}
