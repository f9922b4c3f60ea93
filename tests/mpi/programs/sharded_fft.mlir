// transforms along dimensions of which some are sharded
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<80x64x60xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %b: tensor<800x602xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<80x64x60xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, tensor<80x64x60xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>},
        tensor<800x602xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.fft %a, type = FFT, length = [80, 64, 60] : (tensor<80x64x60xcomplex<f32>>) -> tensor<80x64x60xcomplex<f32>>
  %1 = stablehlo.fft %a, type = IFFT, length = [64, 60] : (tensor<80x64x60xcomplex<f32>>) -> tensor<80x64x60xcomplex<f32>>
  %2 = stablehlo.fft %b, type = RFFT, length = [800, 602] : (tensor<800x602xf32>) -> tensor<800x302xcomplex<f32>>
  %3 = stablehlo.multiply %2, %2 : tensor<800x302xcomplex<f32>>
  %4 = stablehlo.fft %3, type = IRFFT, length = [800, 602] : (tensor<800x302xcomplex<f32>>) -> tensor<800x602xf32>
  return %0, %1, %4 : tensor<80x64x60xcomplex<f32>>, tensor<80x64x60xcomplex<f32>>, tensor<800x602xf32>
}
