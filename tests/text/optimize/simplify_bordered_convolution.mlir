// A convolution of one channel whose image was given a border reads the image alone, with zeros outside; the results at the border are computed from the border and the rows next to it. Short rows, small images, strided windows and several channels keep the concatenate.
// RUN: shardopt %s -shardrun-simplify -dce
func.func @periodic(%x: tensor<512x512xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x1x512x510xf32> {
  %first = stablehlo.slice %x [0:1, 0:512] : (tensor<512x512xf32>) -> tensor<1x512xf32>
  %last = stablehlo.slice %x [511:512, 0:512] : (tensor<512x512xf32>) -> tensor<1x512xf32>
  %p = stablehlo.concatenate %last, %x, %first, dim = 0 : (tensor<1x512xf32>, tensor<512x512xf32>, tensor<1x512xf32>) -> tensor<514x512xf32>
  %image = stablehlo.reshape %p : (tensor<514x512xf32>) -> tensor<1x1x514x512xf32>
  %0 = stablehlo.convolution(%image, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x514x512xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x512x510xf32>
  return %0 : tensor<1x1x512x510xf32>
}

// A border of two elements at one end, with a dilated window; the batch comes last.
func.func @one_sided(%x: tensor<100000x1x1xf64>, %b: tensor<2x1x1xf64>, %w: tensor<3x1x1xf64>) -> tensor<1x99998x1xf64> {
  %p = stablehlo.concatenate %x, %b, dim = 0 : (tensor<100000x1x1xf64>, tensor<2x1x1xf64>) -> tensor<100002x1x1xf64>
  %0 = stablehlo.convolution(%p, %w) dim_numbers = [0, f, b]x[0, i, o]->[f, 0, b], window = {rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<100002x1x1xf64>, tensor<3x1x1xf64>) -> tensor<1x99998x1xf64>
  return %0 : tensor<1x99998x1xf64>
}

func.func @kept(%x: tensor<4096x64xf32>, %w: tensor<1x1x3x3xf32>, %y: tensor<1x1x4096xf32>, %v: tensor<1x1x3xf32>, %z: tensor<1x1x100000xf32>, %u: tensor<2x1x3xf32>) -> (tensor<1x1x4095x62xf32>, tensor<1x1x4095xf32>, tensor<1x1x50000xf32>, tensor<1x2x99999xf32>) {
  %row = stablehlo.slice %x [0:1, 0:64] : (tensor<4096x64xf32>) -> tensor<1x64xf32>
  %p = stablehlo.concatenate %row, %x, dim = 0 : (tensor<1x64xf32>, tensor<4096x64xf32>) -> tensor<4097x64xf32>
  %image = stablehlo.reshape %p : (tensor<4097x64xf32>) -> tensor<1x1x4097x64xf32>
  %0 = stablehlo.convolution(%image, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x4097x64xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x4095x62xf32>
  %a = stablehlo.slice %y [0:1, 0:1, 0:1] : (tensor<1x1x4096xf32>) -> tensor<1x1x1xf32>
  %q = stablehlo.concatenate %a, %y, dim = 2 : (tensor<1x1x1xf32>, tensor<1x1x4096xf32>) -> tensor<1x1x4097xf32>
  %1 = stablehlo.convolution(%q, %v) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x4097xf32>, tensor<1x1x3xf32>) -> tensor<1x1x4095xf32>
  %c = stablehlo.slice %z [0:1, 0:1, 0:1] : (tensor<1x1x100000xf32>) -> tensor<1x1x1xf32>
  %r = stablehlo.concatenate %c, %z, dim = 2 : (tensor<1x1x1xf32>, tensor<1x1x100000xf32>) -> tensor<1x1x100001xf32>
  %2 = stablehlo.convolution(%r, %v) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x100001xf32>, tensor<1x1x3xf32>) -> tensor<1x1x50000xf32>
  %3 = stablehlo.convolution(%r, %u) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x100001xf32>, tensor<2x1x3xf32>) -> tensor<1x2x99999xf32>
  return %0, %1, %2, %3 : tensor<1x1x4095x62xf32>, tensor<1x1x4095xf32>, tensor<1x1x50000xf32>, tensor<1x2x99999xf32>
}
