// A convolution of complex numbers becomes four convolutions of real and imaginary parts.
// RUN: shardopt %s -shardrun-decompose
func.func @main(%x: tensor<1x4x1xcomplex<f64>>, %w: tensor<2x1x1xcomplex<f64>>) -> tensor<1x3x1xcomplex<f64>> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xcomplex<f64>>, tensor<2x1x1xcomplex<f64>>) -> tensor<1x3x1xcomplex<f64>>
  return %0 : tensor<1x3x1xcomplex<f64>>
}
