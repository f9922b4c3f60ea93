func.func @main(%arg0: tensor<4096x1024xf32>) -> tensor<4096x1024xf32> {
  %0 = stablehlo.exponential %arg0 : tensor<4096x1024xf32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4096x1024xf32>
  %2 = stablehlo.add %0, %1 : tensor<4096x1024xf32>
  %3 = stablehlo.log %2 : tensor<4096x1024xf32>
  %4 = stablehlo.sine %3 : tensor<4096x1024xf32>
  return %4 : tensor<4096x1024xf32>
}
