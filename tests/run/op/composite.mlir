// A composite executes its decomposition
// RUN: shardrun --interpret %s
func.func private @twice(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.add %x, %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @main() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y = stablehlo.composite "my.twice" %x {decomposition = @twice} : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %y, dense<[2, 4]> : tensor<2xi32>
  return
}
