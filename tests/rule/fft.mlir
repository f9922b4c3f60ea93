// Transformed dimensions of an fft are replicated; a real transform propagates nothing along the last one
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @complex(%a: tensor<4x8x16xcomplex<f32>>) -> tensor<4x8x16xcomplex<f32>> {
  %0 = stablehlo.fft %a, type = FFT, length = [8, 16] : (tensor<4x8x16xcomplex<f32>>) -> tensor<4x8x16xcomplex<f32>>
  return %0 : tensor<4x8x16xcomplex<f32>>
}
func.func @real(%a: tensor<4x16xf32>) -> tensor<4x9xcomplex<f32>> {
  %0 = stablehlo.fft %a, type = RFFT, length = [16] : (tensor<4x16xf32>) -> tensor<4x9xcomplex<f32>>
  return %0 : tensor<4x9xcomplex<f32>>
}
