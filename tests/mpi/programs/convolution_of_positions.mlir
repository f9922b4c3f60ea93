// Windows of one element: dense, strided with rows left over at the end, one position per image, and channels second. Gradients of
// data: with transposed and with reversed weights, of a strided convolution.
func.func @main(%x: tensor<4x9x8x24xf32>, %w: tensor<40x24x1x1xf32>, %s: tensor<4x1x1x24xf32>, %c: tensor<4x24x9x8xf32>, %dy: tensor<4x9x8x40xf32>, %k: tensor<40x24x3x2xf32>, %dz: tensor<4x5x4x40xf32>) -> (tensor<4x9x8x40xf32>, tensor<4x3x4x40xf32>, tensor<4x1x1x40xf32>, tensor<4x40x9x8xf32>, tensor<4x9x8x24xf32>, tensor<4x9x8x24xf32>) {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[o, i, 0, 1]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x9x8x24xf32>, tensor<40x24x1x1xf32>) -> tensor<4x9x8x40xf32>
  %1 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[o, i, 0, 1]->[b, 0, 1, f], window = {stride = [4, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x9x8x24xf32>, tensor<40x24x1x1xf32>) -> tensor<4x3x4x40xf32>
  %2 = stablehlo.convolution(%s, %w) dim_numbers = [b, 0, 1, f]x[o, i, 0, 1]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x1x1x24xf32>, tensor<40x24x1x1xf32>) -> tensor<4x1x1x40xf32>
  %3 = stablehlo.convolution(%c, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x24x9x8xf32>, tensor<40x24x1x1xf32>) -> tensor<4x40x9x8xf32>
  %t = stablehlo.transpose %w, dims = [2, 3, 1, 0] : (tensor<40x24x1x1xf32>) -> tensor<1x1x24x40xf32>
  %4 = stablehlo.convolution(%dy, %t) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x9x8x40xf32>, tensor<1x1x24x40xf32>) -> tensor<4x9x8x24xf32>
  %u = stablehlo.transpose %k, dims = [2, 3, 1, 0] : (tensor<40x24x3x2xf32>) -> tensor<3x2x24x40xf32>
  %r = stablehlo.reverse %u, dims = [0, 1] : tensor<3x2x24x40xf32>
  %5 = stablehlo.convolution(%dz, %r) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x5x4x40xf32>, tensor<3x2x24x40xf32>) -> tensor<4x9x8x24xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<4x9x8x40xf32>, tensor<4x3x4x40xf32>, tensor<4x1x1x40xf32>, tensor<4x40x9x8xf32>, tensor<4x9x8x24xf32>, tensor<4x9x8x24xf32>
}
