// A spatial dimension of a convolution's input has a factor for the windows and one inside the window; features are reduction factors
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%x: tensor<2x224x224x192xf32>, %k: tensor<3x3x192x64xf32>) -> tensor<2x112x112x64xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x224x224x192xf32>, tensor<3x3x192x64xf32>) -> tensor<2x112x112x64xf32>
  return %0 : tensor<2x112x112x64xf32>
}
