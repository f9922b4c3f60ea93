// The padding of an image with zero, or with the initial value of a window, becomes the window's own; also through a dimension that a view adds, and with a zero that a loop carries
// RUN: shardopt %s -shardrun-simplify=sharded=true -dce
sdy.mesh @mesh = <["x"=2]>
func.func @convolution(%x: tensor<8x64x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %w: tensor<3x3x4xf32>) -> tensor<8x65x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.pad %x, %zero, low = [0, 1, 0], high = [0, 2, 0], interior = [0, 0, 0] : (tensor<8x64x3xf32>, tensor<f32>) -> tensor<8x67x3xf32>
  %0 = stablehlo.convolution(%p, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x67x3xf32>, tensor<3x3x4xf32>) -> tensor<8x65x4xf32>
  return %0 : tensor<8x65x4xf32>
}
func.func @view(%x: tensor<8x64xf32>, %w: tensor<1x1x5xf32>) -> tensor<8x1x66xf32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %zero = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
  %p = stablehlo.pad %x, %zero, low = [0, 1], high = [0, 1], interior = [0, 0] : (tensor<8x64xf32>, tensor<f32>) -> tensor<8x66xf32>
  %v = stablehlo.reshape %p {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>} : (tensor<8x66xf32>) -> tensor<8x1x66xf32>
  %0 = stablehlo.convolution(%v, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[2, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x1x66xf32>, tensor<1x1x5xf32>) -> tensor<8x1x66xf32>
  return %0 : tensor<8x1x66xf32>
}
func.func @window(%x: tensor<64x32xbf16>) -> tensor<62x34xbf16> {
  %init = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %p = stablehlo.pad %x, %init, low = [1, 2], high = [1, 2], interior = [0, 0] : (tensor<64x32xbf16>, tensor<bf16>) -> tensor<66x36xbf16>
  %0 = "stablehlo.reduce_window"(%p, %init) <{window_dimensions = array<i64: 5, 3>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %1 = stablehlo.maximum %a, %b : tensor<bf16>
    stablehlo.return %1 : tensor<bf16>
  }) : (tensor<66x36xbf16>, tensor<bf16>) -> tensor<62x34xbf16>
  return %0 : tensor<62x34xbf16>
}
// These stay: another value, a padded batch dimension, removed elements, and a dilated image.
func.func @others(%x: tensor<8x64x3xf32>, %one: tensor<f32>, %w: tensor<3x3x4xf32>) -> (tensor<8x64x4xf32>, tensor<9x62x4xf32>, tensor<8x61x4xf32>, tensor<8x129x4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.pad %x, %one, low = [0, 1, 0], high = [0, 1, 0], interior = [0, 0, 0] : (tensor<8x64x3xf32>, tensor<f32>) -> tensor<8x66x3xf32>
  %0 = stablehlo.convolution(%p, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x66x3xf32>, tensor<3x3x4xf32>) -> tensor<8x64x4xf32>
  %q = stablehlo.pad %x, %zero, low = [1, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<8x64x3xf32>, tensor<f32>) -> tensor<9x64x3xf32>
  %1 = stablehlo.convolution(%q, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<9x64x3xf32>, tensor<3x3x4xf32>) -> tensor<9x62x4xf32>
  %r = stablehlo.pad %x, %zero, low = [0, -2, 0], high = [0, 1, 0], interior = [0, 0, 0] : (tensor<8x64x3xf32>, tensor<f32>) -> tensor<8x63x3xf32>
  %2 = stablehlo.convolution(%r, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x63x3xf32>, tensor<3x3x4xf32>) -> tensor<8x61x4xf32>
  %s = stablehlo.pad %x, %zero, low = [0, 1, 0], high = [0, 1, 0], interior = [0, 0, 0] : (tensor<8x64x3xf32>, tensor<f32>) -> tensor<8x66x3xf32>
  %3 = stablehlo.convolution(%s, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x66x3xf32>, tensor<3x3x4xf32>) -> tensor<8x129x4xf32>
  return %0, %1, %2, %3 : tensor<8x64x4xf32>, tensor<9x62x4xf32>, tensor<8x61x4xf32>, tensor<8x129x4xf32>
}
