func.func @main(%s: tensor<f32> loc("s"), %x: tensor<?xf32> loc("x")) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %shape = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %b = stablehlo.dynamic_broadcast_in_dim %s, %shape, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %y = stablehlo.multiply %x, %b : tensor<?xf32>
  return %y : tensor<?xf32>
}
