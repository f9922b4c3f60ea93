// Partial sums of 50 columns on three devices are padded and reduce_scattered, as the cost of the search assumes
// RUN: shardopt %s -shardrun-partition
sdy.mesh @mesh = <["x"=3]>
func.func @main(%a: tensor<48x900xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<900x50xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<50x48xf32>) -> (tensor<48x48xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<48x900xf32>, tensor<900x50xf32>) -> tensor<48x50xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"x"}]> : tensor<48x50xf32>
  %2 = stablehlo.tanh %1 : tensor<48x50xf32>
  %3 = stablehlo.dot_general %2, %c, contracting_dims = [1] x [0] : (tensor<48x50xf32>, tensor<50x48xf32>) -> tensor<48x48xf32>
  return %3 : tensor<48x48xf32>
}
