// Convolutions of 3x3: of the default precision, and of precision HIGHEST, which is computed directly.
func.func @main(%x: tensor<4x16x16x32xf32>, %w: tensor<3x3x32x32xf32>) -> (tensor<4x16x16x32xf32>, tensor<4x16x16x32xf32>) {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x16x16x32xf32>, tensor<3x3x32x32xf32>) -> tensor<4x16x16x32xf32>
  %1 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<4x16x16x32xf32>, tensor<3x3x32x32xf32>) -> tensor<4x16x16x32xf32>
  return %0, %1 : tensor<4x16x16x32xf32>, tensor<4x16x16x32xf32>
}
