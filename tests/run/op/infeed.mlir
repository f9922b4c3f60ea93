// infeed reads the results of functions, in the order of the functions
// RUN: shardrun --interpret %s
func.func @two(%t: !stablehlo.token) -> (tensor<i32>, tensor<i32>) {
  %a:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  %b:2 = "stablehlo.infeed"(%a#1) : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  %o = "stablehlo.outfeed"(%b#0, %b#1) : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  return %a#0, %b#0 : tensor<i32>, tensor<i32>
}
func.func @f() -> tensor<i32> {
  %c = stablehlo.constant dense<4> : tensor<i32>
  return %c : tensor<i32>
}
func.func @g() -> tensor<i32> {
  %c = stablehlo.constant dense<9> : tensor<i32>
  return %c : tensor<i32>
}
func.func @main() {
  %t = stablehlo.after_all : !stablehlo.token
  %r:2 = "interpreter.run_parallel"(%t) {infeed = [@f, @g], programs = [[@two]]} : (!stablehlo.token) -> (tensor<i32>, tensor<i32>)
  check.expect_eq_const %r#0, dense<4> : tensor<i32>
  check.expect_eq_const %r#1, dense<9> : tensor<i32>
  return
}
