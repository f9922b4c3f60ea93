// A shape assertion that holds is removed; one that fails is an error with the values in its message.
// RUN: shardopt %s --stablehlo-refine-shapes --stablehlo-check-shape-assertions
// EXIT: 1

func.func @main(%x: tensor<4xf32>) {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<4xf32>) -> tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %more = stablehlo.compare GT, %n, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %less = stablehlo.compare LT, %n, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%more, %n) {api_version = 2 : i32, error_message = "holds: {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  stablehlo.custom_call @shape_assertion(%less, %n, %three) {api_version = 2 : i32, error_message = "{0} rows are not less than {1}", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  return
}
