// In a local module, convolutions with constant kernels off the axes become sums of shifts, too: several equal channels, dilation.
// RUN: shardopt %s -shardrun-simplify -dce
func.func @channels(%x: tensor<1x16x2xf32>) -> tensor<1x16x2xf32> {
  %ones = stablehlo.constant dense<1.0> : tensor<f32>
  %kernel = stablehlo.broadcast_in_dim %ones, dims = [] : (tensor<f32>) -> tensor<3x1x2xf32>
  %fours = stablehlo.constant dense<4.0> : tensor<3x1x2xf32>
  %mean = stablehlo.divide %kernel, %fours : tensor<3x1x2xf32>
  %0 = stablehlo.convolution(%x, %mean) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[2, 2]], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x16x2xf32>, tensor<3x1x2xf32>) -> tensor<1x16x2xf32>
  return %0 : tensor<1x16x2xf32>
}

func.func @diagonal(%x: tensor<1x1x8x16xf32>) -> tensor<1x1x7x15xf32> {
  %k = stablehlo.constant dense<[[[[1.0, 0.0], [0.0, -1.0]]]]> : tensor<1x1x2x2xf32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x8x16xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x7x15xf32>
  return %0 : tensor<1x1x7x15xf32>
}
