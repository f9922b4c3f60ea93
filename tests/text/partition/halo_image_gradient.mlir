// The gradient of an image under windows of stride two: each device dilates its shard of the input
// RUN: shardopt %s -shardrun-emit-forms
sdy.mesh @mesh = <["x"=4]>
func.func @main(%arg0: tensor<1x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %arg1: tensor<3x4x3xf32>) -> (tensor<1x16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[2, 1]], lhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>]>} : (tensor<1x8x4xf32>, tensor<3x4x3xf32>) -> tensor<1x16x3xf32>
  return %0 : tensor<1x16x3xf32>
}
