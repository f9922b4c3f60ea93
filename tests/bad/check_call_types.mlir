// A check of a value and an expected value of another element type
// RUN: shardrun %s
// EXIT: 4

func.func @main() {
  %a = stablehlo.constant dense<1.0> : tensor<4xf32>
  %b = stablehlo.constant dense<1> : tensor<4xi32>
  stablehlo.custom_call @check.expect_eq(%a, %b) {has_side_effect = true} : (tensor<4xf32>, tensor<4xi32>) -> ()
  return
}
