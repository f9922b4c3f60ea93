func.func @main(%a: tensor<f32> loc("f32")) -> tensor<f32> {
  return %a : tensor<f32>
}
