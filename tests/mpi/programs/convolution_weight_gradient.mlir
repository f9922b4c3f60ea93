// The gradient of the weights of a convolution, large enough that threads sum over different images.
func.func @main(%x: tensor<6x56x56x64xf32>, %dy: tensor<6x56x56x64xf32>) -> tensor<3x3x64x64xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<6x56x56x64xf32>, tensor<6x56x56x64xf32>) -> tensor<3x3x64x64xf32>
  return %0 : tensor<3x3x64x64xf32>
}
