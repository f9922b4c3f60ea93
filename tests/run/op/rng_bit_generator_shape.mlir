// threefry's bits depend on the shape as XLA's do: the first even dimension is halved; philox's do not
// RUN: shardrun --interpret %s
func.func @main() {
  %key = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %s0, %row = stablehlo.rng_bit_generator %key, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<6xui32>)
  %s1, %table = stablehlo.rng_bit_generator %key, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
  %pairs = stablehlo.reshape %row : (tensor<6xui32>) -> tensor<3x2xui32>
  %turned = stablehlo.transpose %pairs, dims = [1, 0] : (tensor<3x2xui32>) -> tensor<2x3xui32>
  check.expect_eq %table, %turned : tensor<2x3xui32>
  check.expect_eq_const %s1, dense<[1, 5]> : tensor<2xui64>
  %s2, %odd = stablehlo.rng_bit_generator %key, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui32>)
  check.expect_eq_const %s2, dense<[1, 8]> : tensor<2xui64>
  %s3, %list = stablehlo.rng_bit_generator %key, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<6xui32>)
  %s4, %rows = stablehlo.rng_bit_generator %key, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
  %same = stablehlo.reshape %list : (tensor<6xui32>) -> tensor<2x3xui32>
  check.expect_eq %rows, %same : tensor<2x3xui32>
  return
}
