// The exported problem leaves out ops without a sharding rule
// RUN: shardopt %s -shardrun-import-pipeline -sdy-propagation-pipeline -shardrun-search-shardings=export=true | grep -o search_problem
sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<8x8xf32>
  %1 = stablehlo.tanh %0 : tensor<8x8xf32>
  %2 = stablehlo.add %1, %x : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
