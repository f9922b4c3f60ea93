// expect_close fails if more numbers of the type are between the values than is allowed
// RUN: shardrun --interpret %s
// EXIT: 1
func.func @main() {
  %x = stablehlo.constant dense<1.0> : tensor<f32>
  %y = stablehlo.constant dense<0x3F800003> : tensor<f32>
  check.expect_close %x, %y, max_ulp_difference = 2 : tensor<f32>, tensor<f32>
  return
}
