// Each device computes its groups of a grouped convolution
// RUN: shardopt %s -shardrun-global-to-local
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<1x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %arg1: tensor<4x1x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> (tensor<1x4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 4 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>]>} : (tensor<1x4x8xf32>, tensor<4x1x3xf32>) -> tensor<1x4x6xf32>
  return %0 : tensor<1x4x6xf32>
}
