// Ops whose shapes are operands give the expected values if the operands are constants
// RUN: shardrun --interpret %s
func.func @main() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %shape = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %r = stablehlo.dynamic_reshape %x, %shape : (tensor<2x3xi32>, tensor<2xi64>) -> tensor<3x2xi32>
  check.expect_eq_const %r, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %i = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi64>) -> tensor<3x2xi32>
  check.expect_eq_const %i, dense<[[0, 1], [0, 1], [0, 1]]> : tensor<3x2xi32>
  %row = stablehlo.constant dense<[8, 9]> : tensor<2xi32>
  %b = stablehlo.dynamic_broadcast_in_dim %row, %shape, dims = [1] : (tensor<2xi32>, tensor<2xi64>) -> tensor<3x2xi32>
  check.expect_eq_const %b, dense<[[8, 9], [8, 9], [8, 9]]> : tensor<3x2xi32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2x3xi32>) -> tensor<i32>
  check.expect_eq_const %n, dense<3> : tensor<i32>
  %one = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %two = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %step = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %s = stablehlo.real_dynamic_slice %x, %one, %two, %step : (tensor<2x3xi32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xi32>
  check.expect_eq_const %s, dense<[[2, 3], [5, 6]]> : tensor<2x2xi32>
  %fill = stablehlo.constant dense<0> : tensor<i32>
  %row2 = stablehlo.constant dense<[8, 9]> : tensor<2xi32>
  %one1 = stablehlo.constant dense<1> : tensor<1xi64>
  %zero1 = stablehlo.constant dense<0> : tensor<1xi64>
  %inner1 = stablehlo.constant dense<1> : tensor<1xi64>
  %p = stablehlo.dynamic_pad %row2, %fill, %one1, %zero1, %inner1 : (tensor<2xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xi32>
  check.expect_eq_const %p, dense<[0, 8, 0, 9]> : tensor<4xi32>
  return
}
