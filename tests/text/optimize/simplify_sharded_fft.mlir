// Transforms along sharded and other dimensions become two transforms, each along dimensions that are not sharded. Transforms of small values, along sharded dimensions alone, along other dimensions alone, with a batch dimension that can be sharded instead, and of real rows that are sharded stay.
// RUN: shardopt %s -shardrun-simplify=sharded=true
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @first(%a: tensor<64x64x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> tensor<64x64x64xcomplex<f32>> {
  %0 = stablehlo.fft %a, type = FFT, length = [64, 64, 64] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}, {}]>]>} : (tensor<64x64x64xcomplex<f32>>) -> tensor<64x64x64xcomplex<f32>>
  return %0 : tensor<64x64x64xcomplex<f32>>
}
func.func @two(%a: tensor<2x64x64x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}, {}]>}) -> tensor<2x64x64x64xcomplex<f32>> {
  %0 = stablehlo.fft %a, type = IFFT, length = [64, 64, 64] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {"y"}, {}]>]>} : (tensor<2x64x64x64xcomplex<f32>>) -> tensor<2x64x64x64xcomplex<f32>>
  return %0 : tensor<2x64x64x64xcomplex<f32>>
}
func.func @from_real(%a: tensor<512x1000xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<512x501xcomplex<f32>> {
  %0 = stablehlo.fft %a, type = RFFT, length = [512, 1000] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<512x1000xf32>) -> tensor<512x501xcomplex<f32>>
  return %0 : tensor<512x501xcomplex<f32>>
}
func.func @to_real(%a: tensor<512x501xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<512x1000xf32> {
  %0 = stablehlo.fft %a, type = IRFFT, length = [512, 1000] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<512x501xcomplex<f32>>) -> tensor<512x1000xf32>
  return %0 : tensor<512x1000xf32>
}
func.func @unchanged(%a: tensor<16x16xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<512x512xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %c: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %d: tensor<16x512x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}]>})
    -> (tensor<16x512x64xcomplex<f32>>, tensor<16x16xcomplex<f32>>, tensor<512x512xcomplex<f32>>, tensor<512x512xcomplex<f32>>, tensor<512x257xcomplex<f32>>) {
  %0 = stablehlo.fft %a, type = FFT, length = [16, 16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x16xcomplex<f32>>) -> tensor<16x16xcomplex<f32>>
  %1 = stablehlo.fft %b, type = FFT, length = [512] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<512x512xcomplex<f32>>) -> tensor<512x512xcomplex<f32>>
  %2 = stablehlo.fft %b, type = FFT, length = [512, 512] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : (tensor<512x512xcomplex<f32>>) -> tensor<512x512xcomplex<f32>>
  %3 = stablehlo.fft %c, type = RFFT, length = [512, 512] : (tensor<512x512xf32>) -> tensor<512x257xcomplex<f32>>
  %4 = stablehlo.fft %d, type = FFT, length = [512, 64] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}, {}]>]>} : (tensor<16x512x64xcomplex<f32>>) -> tensor<16x512x64xcomplex<f32>>
  return %4, %0, %1, %2, %3 : tensor<16x512x64xcomplex<f32>>, tensor<16x16xcomplex<f32>>, tensor<512x512xcomplex<f32>>, tensor<512x512xcomplex<f32>>, tensor<512x257xcomplex<f32>>
}
