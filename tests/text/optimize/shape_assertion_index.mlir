// A format specifier whose index is the largest integer, or larger, is an error
// RUN: shardopt %s --stablehlo-check-shape-assertions
// EXIT: 1

func.func @main() {
  %n = stablehlo.constant dense<3> : tensor<i32>
  %false = stablehlo.constant dense<false> : tensor<i1>
  stablehlo.custom_call @shape_assertion(%false, %n) {api_version = 2 : i32, error_message = "{9223372036854775807}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  return
}
