// In a local module, convolutions with constant kernels off the axes become sums of shifts, too: several equal channels, dilation. So do small windows of stride 1, also of a bordered image.
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

func.func @window(%x: tensor<1x8x16xf32>) -> tensor<1x8x16xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %lowest) <{padding = dense<[[0, 0], [0, 0], [1, 1]]> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 1, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<1x8x16xf32>
  return %0 : tensor<1x8x16xf32>
}

func.func @bordered(%x: tensor<8x16xf32>, %y: tensor<1x16xf32>, %zero: tensor<f32>) -> tensor<1x8x15xf32> {
  %p = stablehlo.concatenate %x, %y, dim = 0 : (tensor<8x16xf32>, tensor<1x16xf32>) -> tensor<9x16xf32>
  %image = stablehlo.reshape %p : (tensor<9x16xf32>) -> tensor<1x9x16xf32>
  %0 = "stablehlo.reduce_window"(%image, %zero) <{window_dimensions = array<i64: 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<1x9x16xf32>, tensor<f32>) -> tensor<1x8x15xf32>
  return %0 : tensor<1x8x15xf32>
}
