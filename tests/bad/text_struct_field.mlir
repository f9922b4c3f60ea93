// The message for an unknown field lists the structure's fields.
// RUN: shardopt %s
// EXIT: 1
func.func @f(%a: tensor<4xf32>, %b: tensor<2x1xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset = [0]>, slice_sizes = array<i64: 1>}> : (tensor<4xf32>, tensor<2x1xi32>) -> tensor<2xf32>
  return
}
