// NaN is unequal to itself in expect_eq, and equal in expect_almost_eq
// RUN: shardrun --interpret %s
// EXIT: 1
func.func @main() {
  %x = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  check.expect_almost_eq %x, %x : tensor<f32>
  check.expect_eq %x, %x : tensor<f32>
  return
}
