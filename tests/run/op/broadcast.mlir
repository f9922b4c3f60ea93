// broadcast adds leading dimensions
// RUN: shardrun --interpret %s
func.func @main() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = stablehlo.broadcast %x, sizes = [3] : (tensor<2xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %r, dense<[[1, 2], [1, 2], [1, 2]]> : tensor<3x2xi32>
  return
}
