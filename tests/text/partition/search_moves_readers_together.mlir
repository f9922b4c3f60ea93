// Two readers of an argument change together to the layout of one reshard, which would not save time for one of them alone
// RUN: shardopt %s -shardrun-import-pipeline -sdy-propagation-pipeline -shardrun-search-shardings
sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @main(%x: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"a"}]>},
    %y: tensor<256x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>})
    -> (tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>},
        tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"a"}]>},
        tensor<256x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}) {
  %0 = stablehlo.add %x, %x : tensor<64x16xf32>
  %1 = stablehlo.transpose %x, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
  %2 = stablehlo.tanh %y : tensor<256x16xf32>
  %3 = stablehlo.negate %2 : tensor<256x16xf32>
  %4 = stablehlo.sine %3 : tensor<256x16xf32>
  return %0, %1, %4 : tensor<64x16xf32>, tensor<16x64xf32>, tensor<256x16xf32>
}
