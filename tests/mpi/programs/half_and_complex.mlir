func.func @main(%x: tensor<4096x1024xf32>, %y: tensor<4096x1024xf32>, %z: tensor<1024x2048xcomplex<f32>>) -> (tensor<4096x1024xf16>, tensor<1024x2048xcomplex<f32>>) {
  %0 = stablehlo.compare GT, %x, %y, FLOAT : (tensor<4096x1024xf32>, tensor<4096x1024xf32>) -> tensor<4096x1024xi1>
  %1 = stablehlo.select %0, %x, %y : tensor<4096x1024xi1>, tensor<4096x1024xf32>
  %2 = stablehlo.convert %1 : (tensor<4096x1024xf32>) -> tensor<4096x1024xf16>
  %3 = stablehlo.exponential %z : tensor<1024x2048xcomplex<f32>>
  return %2, %3 : tensor<4096x1024xf16>, tensor<1024x2048xcomplex<f32>>
}
