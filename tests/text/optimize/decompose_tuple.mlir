// A custom call with a tuple result whose elements are read gets several results.
// RUN: shardopt %s -shardrun-decompose
func.func @main(%arg0: tensor<4x2xf32>) -> (tensor<2xf32>, tensor<4x2xf32>) {
  %0 = stablehlo.custom_call @pair(%arg0) {backend_config = "", xla_shape = "(f32[4,2]{1,0}, f32[2]{0})"} : (tensor<4x2xf32>) -> tuple<tensor<4x2xf32>, tensor<2xf32>>
  %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<4x2xf32>, tensor<2xf32>>) -> tensor<2xf32>
  %2 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<4x2xf32>, tensor<2xf32>>) -> tensor<4x2xf32>
  return %1, %2 : tensor<2xf32>, tensor<4x2xf32>
}
func.func @kept(%arg0: tensor<2xf32>) -> tuple<tensor<2xf32>> {
  %0 = stablehlo.custom_call @one(%arg0) : (tensor<2xf32>) -> tuple<tensor<2xf32>>
  return %0 : tuple<tensor<2xf32>>
}
