// Unknown dimensions have the extents of --args
// RUN: shardrun --interpret %s --args='[dense<[4, 5, 6]> : tensor<3xi32>]'
func.func @main(%x: tensor<?xi32>) {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  %shape = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %i = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %r = stablehlo.add %x, %i : tensor<?xi32>
  %s = stablehlo.slice %r [0:3] : (tensor<?xi32>) -> tensor<3xi32>
  check.expect_eq_const %s, dense<[4, 6, 8]> : tensor<3xi32>
  return
}
