// --show-sharding draws a result without an annotation as the search sharded it, not as propagation did
// RUN: shardrun -q --cache=off --run=false --show-sharding %s; shardrun -q --cache=off --run=false --show-sharding --partition=upstream %s | tail -n 2
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<64x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<12x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<64x64xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<64x12xf32>, tensor<12x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
