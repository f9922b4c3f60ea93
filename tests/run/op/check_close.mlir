// expect_close counts the numbers of the type between two values, also across zero
// RUN: shardrun --interpret %s
func.func @main() {
  %x = stablehlo.constant dense<[1.0, 0x7F800000, 0x7FC00000, 0.0, 0x80000001]> : tensor<5xf32>
  %y = stablehlo.constant dense<[0x3F800003, 0x7F800000, 0x7FC00001, -0.0, 0x00000002]> : tensor<5xf32>
  check.expect_close %x, %y, max_ulp_difference = 3 : tensor<5xf32>, tensor<5xf32>
  return
}
