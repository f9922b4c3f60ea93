// The body of map is executed on all elements at once, with its own constants
// RUN: shardrun --interpret %s
func.func @main() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %y = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %r = "stablehlo.map"(%x, %y) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.constant dense<7> : tensor<i32>
    %d = stablehlo.multiply %a, %b : tensor<i32>
    %e = stablehlo.add %d, %c : tensor<i32>
    stablehlo.return %e : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %r, dense<[17, 47, 97]> : tensor<3xi32>
  return
}
