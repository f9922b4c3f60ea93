// A transform of a transposed value whose result is transposed transforms columns; a transform of several dimensions that exceeds the caches is one for each dimension. Both keep a transpose that the two do not cancel. A small transform of several dimensions stays, as do one of a transposed value without a transpose after it, and a real one of a transposed value.
// RUN: shardopt %s -shardrun-lower-to-work
func.func @columns(%a: tensor<8x6x5xcomplex<f32>>) -> (tensor<8x6x5xcomplex<f32>>, tensor<5x8x6xcomplex<f32>>, tensor<8x6x5xcomplex<f32>>) {
  %0 = stablehlo.transpose %a, dims = [0, 2, 1] : (tensor<8x6x5xcomplex<f32>>) -> tensor<8x5x6xcomplex<f32>>
  %1 = stablehlo.fft %0, type = FFT, length = [6] : (tensor<8x5x6xcomplex<f32>>) -> tensor<8x5x6xcomplex<f32>>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1] : (tensor<8x5x6xcomplex<f32>>) -> tensor<8x6x5xcomplex<f32>>
  %3 = stablehlo.transpose %a, dims = [1, 2, 0] : (tensor<8x6x5xcomplex<f32>>) -> tensor<6x5x8xcomplex<f32>>
  %4 = stablehlo.fft %3, type = IFFT, length = [8] : (tensor<6x5x8xcomplex<f32>>) -> tensor<6x5x8xcomplex<f32>>
  %5 = stablehlo.transpose %4, dims = [1, 2, 0] : (tensor<6x5x8xcomplex<f32>>) -> tensor<5x8x6xcomplex<f32>>
  %6 = stablehlo.transpose %a, dims = [2, 1, 0] : (tensor<8x6x5xcomplex<f32>>) -> tensor<5x6x8xcomplex<f32>>
  %7 = stablehlo.fft %6, type = FFT, length = [6, 8] : (tensor<5x6x8xcomplex<f32>>) -> tensor<5x6x8xcomplex<f32>>
  %8 = stablehlo.transpose %7, dims = [2, 1, 0] : (tensor<5x6x8xcomplex<f32>>) -> tensor<8x6x5xcomplex<f32>>
  return %2, %5, %8 : tensor<8x6x5xcomplex<f32>>, tensor<5x8x6xcomplex<f32>>, tensor<8x6x5xcomplex<f32>>
}
func.func @large(%a: tensor<512x512xcomplex<f32>>, %b: tensor<64x64x64xf32>, %c: tensor<64x64x33xcomplex<f32>>) -> (tensor<512x512xcomplex<f32>>, tensor<64x64x33xcomplex<f32>>, tensor<64x64x64xf32>) {
  %0 = stablehlo.fft %a, type = FFT, length = [512, 512] : (tensor<512x512xcomplex<f32>>) -> tensor<512x512xcomplex<f32>>
  %1 = stablehlo.fft %b, type = RFFT, length = [64, 64, 64] : (tensor<64x64x64xf32>) -> tensor<64x64x33xcomplex<f32>>
  %2 = stablehlo.fft %c, type = IRFFT, length = [64, 64, 64] : (tensor<64x64x33xcomplex<f32>>) -> tensor<64x64x64xf32>
  return %0, %1, %2 : tensor<512x512xcomplex<f32>>, tensor<64x64x33xcomplex<f32>>, tensor<64x64x64xf32>
}
func.func @unchanged(%a: tensor<32x32xcomplex<f32>>, %b: tensor<6x8xf32>) -> (tensor<32x32xcomplex<f32>>, tensor<32x32xcomplex<f32>>, tensor<4x8xcomplex<f32>>) {
  %0 = stablehlo.fft %a, type = FFT, length = [32, 32] : (tensor<32x32xcomplex<f32>>) -> tensor<32x32xcomplex<f32>>
  %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<32x32xcomplex<f32>>) -> tensor<32x32xcomplex<f32>>
  %2 = stablehlo.fft %1, type = FFT, length = [32] : (tensor<32x32xcomplex<f32>>) -> tensor<32x32xcomplex<f32>>
  %3 = stablehlo.transpose %b, dims = [1, 0] : (tensor<6x8xf32>) -> tensor<8x6xf32>
  %4 = stablehlo.fft %3, type = RFFT, length = [6] : (tensor<8x6xf32>) -> tensor<8x4xcomplex<f32>>
  %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<8x4xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return %0, %2, %5 : tensor<32x32xcomplex<f32>>, tensor<32x32xcomplex<f32>>, tensor<4x8xcomplex<f32>>
}
