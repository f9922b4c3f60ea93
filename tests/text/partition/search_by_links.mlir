// On two nodes with a slow network the search reshards operands, which sends less between nodes, instead of reducing partial sums.
// If the network is as fast as a node's links, the partial sums of the first product are reduced by one all_reduce, whose result both readers slice.
// RUN: for net in 1e10 1e8; do printf "ranks_per_node = 4\nnetwork_bytes_per_s = $net\n" >%t/$net.txt; shardopt %s --machine=%t/$net.txt -shardrun-search-shardings | grep -E '%[01] ='; done
sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%a: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
                %b: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
                %c: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>})
    -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.dot_general %0, %c, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.tanh %1 : tensor<64x64xf32>
  return %0, %2 : tensor<64x64xf32>, tensor<64x64xf32>
}
