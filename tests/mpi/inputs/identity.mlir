func.func @main(%a: tensor<3xf32>, %b: tensor<3xf64>, %c: tensor<2xbf16>, %d: tensor<2xcomplex<f32>>, %e: tensor<3xf32>)
    -> (tensor<3xf32>, tensor<3xf64>, tensor<2xbf16>, tensor<2xcomplex<f32>>, tensor<3xf32>) {
  return %a, %b, %c, %d, %e : tensor<3xf32>, tensor<3xf64>, tensor<2xbf16>, tensor<2xcomplex<f32>>, tensor<3xf32>
}
