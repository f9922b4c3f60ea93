// With the full weight of computation, the search would send more bytes than if each op had the strategy that is best for it alone.
// With little weight, the search first leaves the products replicated along b, then shards them as far as no more bytes are sent
// RUN: shardopt %s -sdy-propagation-pipeline -shardrun-search-shardings | grep dot
sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%a0: tensor<256x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>}, %a1: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>}, %a2: tensor<16x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}, %a3: tensor<256x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, %a4: tensor<256x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b", "a"}]>}) -> (tensor<256x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b", "a"}]>}, tensor<256x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"a"}]>}, tensor<16x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>}, tensor<256x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = stablehlo.dot %a1, %a0 : (tensor<256x256xf32>, tensor<256x16xf32>) -> tensor<256x16xf32>
  %c1 = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%a4 init: %c1) applies stablehlo.add across dimensions = [0] : (tensor<256x16xf32>, tensor<f32>) -> tensor<16xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<16xf32>) -> tensor<256x16xf32>
  %4 = stablehlo.dot %a1, %0 : (tensor<256x256xf32>, tensor<256x16xf32>) -> tensor<256x16xf32>
  %5 = stablehlo.transpose %a3, dims = [1, 0] : (tensor<256x16xf32>) -> tensor<16x256xf32>
  %c6 = stablehlo.constant dense<0.0> : tensor<f32>
  %7 = stablehlo.reduce(%a3 init: %c6) applies stablehlo.add across dimensions = [1] : (tensor<256x16xf32>, tensor<f32>) -> tensor<256xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<256xf32>) -> tensor<256x16xf32>
  return %3, %4, %5, %8 : tensor<256x16xf32>, tensor<256x16xf32>, tensor<16x256xf32>, tensor<256x16xf32>
}
