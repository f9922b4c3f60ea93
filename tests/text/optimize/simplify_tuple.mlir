// An element of a tuple is replaced by the tuple's operand, and a tuple of all elements of a tuple by that tuple.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%a: tensor<f32>, %b: tensor<i32>, %t: tuple<tensor<f32>, tensor<i32>>) -> (tensor<i32>, tuple<tensor<f32>, tensor<i32>>) {
  %0 = stablehlo.tuple %a, %b : tuple<tensor<f32>, tensor<i32>>
  %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>
  %2 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<f32>
  %3 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>
  %4 = stablehlo.tuple %2, %3 : tuple<tensor<f32>, tensor<i32>>
  return %1, %4 : tensor<i32>, tuple<tensor<f32>, tensor<i32>>
}
