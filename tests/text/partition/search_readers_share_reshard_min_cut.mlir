// A product is sharded along an axis if the gather that this sharding requires is needed by another product anyway
// RUN: shardopt %s -sdy-propagation-pipeline -shardrun-search-shardings -shardrun-insert-reshards -shardrun-lower-reshards
sdy.mesh @mesh = <["d"=4, "m"=2]>
func.func @tied(%x: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"m"}]>},
    %e: tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
    -> (tensor<1024x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"m"}, {}]>},
        tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) {
  %0 = stablehlo.dot_general %x, %e, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %1 = stablehlo.tanh %0 : tensor<512x1024xf32>
  %2 = stablehlo.dot_general %1, %x, contracting_dims = [0] x [0] : (tensor<512x1024xf32>, tensor<512x512xf32>) -> tensor<1024x512xf32>
  %3 = stablehlo.dot_general %1, %e, contracting_dims = [1] x [1] : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x512xf32>
  return %2, %3 : tensor<1024x512xf32>, tensor<512x512xf32>
}
