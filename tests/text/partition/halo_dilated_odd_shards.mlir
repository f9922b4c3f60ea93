// Convolution of a dilated image whose shards begin between elements: the halo's dilated rows are long enough for each shard's slice
// RUN: shardrun --devices-per-rank=all -q %s --input="1x4x1xf32=1 2 3 4" --input="3x1x1xf32=1 10 100" --expected-output="1x6x1xf32=201 20 302 30 403 40" >/dev/null
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<1x4x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %w: tensor<3x1x1xf32>) -> (tensor<1x6x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[0, 1]], lhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<3x1x1xf32>) -> tensor<1x6x1xf32>
  return %0 : tensor<1x6x1xf32>
}
