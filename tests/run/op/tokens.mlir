// Tokens pass through loops and calls
// RUN: shardrun --interpret %s
func.func private @f(%t: !stablehlo.token, %x: tensor<i32>) -> (!stablehlo.token, tensor<i32>) {
  return %t, %x : !stablehlo.token, tensor<i32>
}
func.func @main() {
  %t = stablehlo.create_token : !stablehlo.token
  %u = stablehlo.after_all %t, %t : !stablehlo.token
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %k = %u) : tensor<i32>, !stablehlo.token
  cond {
    %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %n = stablehlo.add %i, %one : tensor<i32>
    %v:2 = func.call @f(%k, %n) : (!stablehlo.token, tensor<i32>) -> (!stablehlo.token, tensor<i32>)
    stablehlo.return %v#1, %v#0 : tensor<i32>, !stablehlo.token
  }
  check.expect_eq_const %r#0, dense<3> : tensor<i32>
  return
}
