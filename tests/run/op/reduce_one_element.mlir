// A reduction of single elements is right in a nest in which another result shares its operand's memory
// RUN: shardrun --interpret %s
func.func @main() {
  %x = stablehlo.constant dense<[[7], [2]]> : tensor<2x1xi32>
  %sorted = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %less = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<2x1xi32>) -> tensor<2x1xi32>
  %thirteen = stablehlo.constant dense<13> : tensor<2x1xi32>
  %more = stablehlo.multiply %sorted, %thirteen : tensor<2x1xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sums:2 = stablehlo.reduce(%more init: %zero), (%sorted init: %zero) across dimensions = [1] : (tensor<2x1xi32>, tensor<2x1xi32>, tensor<i32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>)
    reducer(%a: tensor<i32>, %b: tensor<i32>) (%c: tensor<i32>, %d: tensor<i32>) {
      %e = stablehlo.add %a, %b : tensor<i32>
      %f = stablehlo.add %c, %d : tensor<i32>
      stablehlo.return %e, %f : tensor<i32>, tensor<i32>
    }
  check.expect_eq_const %more, dense<[[26], [91]]> : tensor<2x1xi32>
  check.expect_eq_const %sums#0, dense<[26, 91]> : tensor<2xi32>
  check.expect_eq_const %sums#1, dense<[2, 7]> : tensor<2xi32>
  return
}
