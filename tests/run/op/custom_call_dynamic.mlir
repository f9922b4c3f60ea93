// Custom calls that JAX writes for ops whose attributes are operands, with unknown dimensions
// RUN: shardrun --interpret %s --args='[dense<[3, 1, 4, 1]> : tensor<4xi32>]'
func.func @main(%x: tensor<?xi32>) {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %half = stablehlo.divide %n, %two : tensor<i32>
  %top:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %half) {api_version = 2 : i32} : (tensor<?xi32>, tensor<i32>) -> (tensor<?xi32>, tensor<?xi32>)
  %t = stablehlo.slice %top#0 [0:2] : (tensor<?xi32>) -> tensor<2xi32>
  check.expect_eq_const %t, dense<[4, 3]> : tensor<2xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %size = stablehlo.reshape %half : (tensor<i32>) -> tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %padding = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi32>
  %sums = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %size, %one, %one, %one, %padding) {api_version = 2 : i32, called_computations = [@sum]} : (tensor<?xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xi32>
  %s = stablehlo.slice %sums [0:4] : (tensor<?xi32>) -> tensor<4xi32>
  check.expect_eq_const %s, dense<[3, 4, 5, 5]> : tensor<4xi32>
  %key = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %shape = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %bits:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%key, %shape) {api_version = 2 : i32, rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xui32>)
  %state, %same = stablehlo.rng_bit_generator %key, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  %four = stablehlo.slice %bits#1 [0:4] : (tensor<?xui32>) -> tensor<4xui32>
  check.expect_eq %four, %same : tensor<4xui32>
  %empty = stablehlo.custom_call @AllocateBuffer() : () -> tensor<2xf32>
  return
}
func.func private @sum(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %r = stablehlo.add %a, %b : tensor<i32>
  return %r : tensor<i32>
}
