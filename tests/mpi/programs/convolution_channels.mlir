// A network's layers with channels second, and their gradients: the values in between get channels last.
func.func @main(%x: tensor<4x3x17x19xf32>, %w0: tensor<16x3x3x3xf32>, %w1: tensor<16x16x3x3xf32>, %g: tensor<16xf32>, %b: tensor<16xf32>, %w2: tensor<24x16x1x1xf32>) -> (tensor<4x24xf32>, tensor<4x24x9x10xf32>, tensor<16x16x3x3xf32>, tensor<16xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %ninf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<4x16x9x10xf32>
  %i = stablehlo.iota dim = 3 : tensor<4x16x9x10xf32>
  %0 = stablehlo.convolution(%x, %w0) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x3x17x19xf32>, tensor<16x3x3x3xf32>) -> tensor<4x16x9x10xf32>
  %gb = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<16xf32>) -> tensor<4x16x9x10xf32>
  %bb = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<16xf32>) -> tensor<4x16x9x10xf32>
  %1 = stablehlo.multiply %0, %gb : tensor<4x16x9x10xf32>
  %2 = stablehlo.add %1, %bb : tensor<4x16x9x10xf32>
  %3 = stablehlo.maximum %2, %zero : tensor<4x16x9x10xf32>
  %4 = stablehlo.convolution(%3, %w1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x16x9x10xf32>, tensor<16x16x3x3xf32>) -> tensor<4x16x9x10xf32>
  %5 = stablehlo.add %4, %3 : tensor<4x16x9x10xf32>
  %6 = stablehlo.add %5, %i : tensor<4x16x9x10xf32>
  %7 = stablehlo.convolution(%6, %w2) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x16x9x10xf32>, tensor<24x16x1x1xf32>) -> tensor<4x24x9x10xf32>
  %p = "stablehlo.reduce_window"(%7, %ninf) <{padding = dense<[[0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    %m = stablehlo.maximum %a, %c : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<4x24x9x10xf32>, tensor<f32>) -> tensor<4x24x5x5xf32>
  %p2 = stablehlo.slice %p [0:4, 4:20, 0:5, 0:5] : (tensor<4x24x5x5xf32>) -> tensor<4x16x5x5xf32>
  %r = stablehlo.reduce(%p init: %z) applies stablehlo.add across dimensions = [2, 3] : (tensor<4x24x5x5xf32>, tensor<f32>) -> tensor<4x24xf32>
  %q = "stablehlo.select_and_scatter"(%6, %p2, %z) <{padding = dense<[[0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    %m = stablehlo.compare GE, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %m : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    %m = stablehlo.add %a, %c : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<4x16x9x10xf32>, tensor<4x16x5x5xf32>, tensor<f32>) -> tensor<4x16x9x10xf32>
  %dx = stablehlo.convolution(%q, %w1) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x16x9x10xf32>, tensor<16x16x3x3xf32>) -> tensor<4x16x9x10xf32>
  %dw = stablehlo.convolution(%3, %q) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x16x9x10xf32>, tensor<4x16x9x10xf32>) -> tensor<16x16x3x3xf32>
  %dg = stablehlo.reduce(%dx init: %z) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<4x16x9x10xf32>, tensor<f32>) -> tensor<16xf32>
  return %r, %7, %dw, %dg : tensor<4x24xf32>, tensor<4x24x9x10xf32>, tensor<16x16x3x3xf32>, tensor<16xf32>
}
