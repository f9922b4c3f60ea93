// torch_index_select selects by index with and without batch dimensions
// RUN: shardrun --interpret %s
func.func @main() {
  %x = stablehlo.constant dense<[[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]]> : tensor<2x3x4xi32>
  %i = stablehlo.constant dense<[[2, 0], [1, 1]]> : tensor<2x2xi32>
  %r = "stablehlo.torch_index_select"(%x, %i) {dim = 1 : i64, batch_dims = 1 : i64} : (tensor<2x3x4xi32>, tensor<2x2xi32>) -> tensor<2x2x4xi32>
  check.expect_eq_const %r, dense<[[[8, 9, 10, 11], [0, 1, 2, 3]], [[16, 17, 18, 19], [16, 17, 18, 19]]]> : tensor<2x2x4xi32>
  %j = stablehlo.constant dense<[3, 0, 3]> : tensor<3xi32>
  %s = "stablehlo.torch_index_select"(%x, %j) {dim = 2 : i64, batch_dims = 0 : i64} : (tensor<2x3x4xi32>, tensor<3xi32>) -> tensor<2x3x3xi32>
  check.expect_eq_const %s, dense<[[[3, 0, 3], [7, 4, 7], [11, 8, 11]], [[15, 12, 15], [19, 16, 19], [23, 20, 23]]]> : tensor<2x3x3xi32>
  return
}
