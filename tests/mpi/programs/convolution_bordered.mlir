// A periodic stencil and one with a border of two elements at the end, as convolutions of images with concatenated borders
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<1x1x600x400xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}, {}]>}, %w: tensor<1x1x3x3xf32>, %y: tensor<1x1x200000xf64>, %e: tensor<1x1x2xf64>, %v: tensor<1x1x3xf64>) -> (tensor<1x1x600x400xf32>, tensor<1x1x199998xf64>) {
  %top = stablehlo.slice %x [0:1, 0:1, 0:1, 0:400] : (tensor<1x1x600x400xf32>) -> tensor<1x1x1x400xf32>
  %bottom = stablehlo.slice %x [0:1, 0:1, 599:600, 0:400] : (tensor<1x1x600x400xf32>) -> tensor<1x1x1x400xf32>
  %rows = stablehlo.concatenate %bottom, %x, %top, dim = 2 : (tensor<1x1x1x400xf32>, tensor<1x1x600x400xf32>, tensor<1x1x1x400xf32>) -> tensor<1x1x602x400xf32>
  %left = stablehlo.slice %rows [0:1, 0:1, 0:602, 0:1] : (tensor<1x1x602x400xf32>) -> tensor<1x1x602x1xf32>
  %right = stablehlo.slice %rows [0:1, 0:1, 0:602, 399:400] : (tensor<1x1x602x400xf32>) -> tensor<1x1x602x1xf32>
  %p = stablehlo.concatenate %right, %rows, %left, dim = 3 : (tensor<1x1x602x1xf32>, tensor<1x1x602x400xf32>, tensor<1x1x602x1xf32>) -> tensor<1x1x602x402xf32>
  %0 = stablehlo.convolution(%p, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x602x402xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x600x400xf32>
  %q = stablehlo.concatenate %y, %e, dim = 2 : (tensor<1x1x200000xf64>, tensor<1x1x2xf64>) -> tensor<1x1x200002xf64>
  %1 = stablehlo.convolution(%q, %v) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {rhs_dilate = [2], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x200002xf64>, tensor<1x1x3xf64>) -> tensor<1x1x199998xf64>
  return %0, %1 : tensor<1x1x600x400xf32>, tensor<1x1x199998xf64>
}
