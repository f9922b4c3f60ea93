// interpreter.probe writes values to files, which can be checked
// RUN: shardrun --interpret --probe-output-dir=%t %s
func.func @main() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %r = stablehlo.while(%i = %zero) : tensor<i32>
  cond {
    %p = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %n = stablehlo.add %i, %one : tensor<i32>
    %v = interpreter.probe %n, probe_id = "count" : tensor<i32>
    stablehlo.return %v : tensor<i32>
  }
  check.expect_serialized_eq %one, probe_id = "count" : tensor<i32>
  check.expect_serialized_eq %two, probe_id = "count", iter = 1 : tensor<i32>
  return
}
