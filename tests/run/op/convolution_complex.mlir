// Complex numbers: results are sums of complex products
// RUN: shardrun -q %s --input="1x4x1xcomplex<f64>=1+2j 3-1j 0+1j 2+0j" --input="2x1x1xcomplex<f64>=1+1j 0+2j" --expected-output="1x3x1xcomplex<f64>=1+9j 2+2j -1+5j" >/dev/null
func.func @main(%x: tensor<1x4x1xcomplex<f64>>, %w: tensor<2x1x1xcomplex<f64>>) -> tensor<1x3x1xcomplex<f64>> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xcomplex<f64>>, tensor<2x1x1xcomplex<f64>>) -> tensor<1x3x1xcomplex<f64>>
  return %0 : tensor<1x3x1xcomplex<f64>>
}
