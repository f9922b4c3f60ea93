// chlo.scan in reverse along a dimension: outputs of each iteration, and the final carry
// RUN: shardrun --interpret %s
func.func @main() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %z = stablehlo.constant dense<[100, 200]> : tensor<2xi32>
  %r:2 = chlo.scan(%x) inits(%z) dimension=1 attributes {is_reverse = true} {
  ^bb0(%a: tensor<2xi32>, %c: tensor<2xi32>):
    %s = stablehlo.add %a, %c : tensor<2xi32>
    stablehlo.return %c, %s : tensor<2xi32>, tensor<2xi32>
  } : (tensor<2x3xi32>, tensor<2xi32>) -> (tensor<2x3xi32>, tensor<2xi32>)
  check.expect_eq_const %r#0, dense<[[105, 103, 100], [211, 206, 200]]> : tensor<2x3xi32>
  check.expect_eq_const %r#1, dense<[106, 215]> : tensor<2xi32>
  return
}
