// --explain-partition without the search, whose choices it explains, is an error
// RUN: shardrun -q --run=false --partition=upstream --explain-partition=%0 %s; shardrun -q --run=false --partition=replicate --explain-partition=%0 %s
// EXIT: 2
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.negate %arg0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}
