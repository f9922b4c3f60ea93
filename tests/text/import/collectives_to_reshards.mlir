// Data-moving collectives become reshards; reductions stay, with their operands resharded to the declared sharding.
// RUN: shardopt %s -shardrun-collectives-to-reshards
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x16xf32> {
  %0 = sdy.all_slice [{}, {"y"}] %a out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x16xf32>
  %1 = sdy.all_to_all [{"y"}: 1->0] %0 out_sharding=<@mesh, [{"x", "y"}, {}]> : tensor<8x16xf32>
  %2 = sdy.collective_permute %1 out_sharding=<@mesh, [{"y", "x"}, {}]> : tensor<8x16xf32>
  %3 = sdy.all_gather [{"y", "x"}, {}] %2 out_sharding=<@mesh, [{}, {}]> : tensor<8x16xf32>
  %4 = sdy.all_reduce {"y"} %3 out_sharding=<@mesh, [{}, {}]> : tensor<8x16xf32>
  return %4 : tensor<8x16xf32>
}
