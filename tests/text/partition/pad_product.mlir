// A product over a padded dimension masks both operands: padding may contain infinities
// RUN: shardopt %s -shardrun-pad
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<3x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg1: tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<3xf32> {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<3x5xf32>, tensor<5xf32>) -> tensor<3xf32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}]> : tensor<3xf32>
  return %1 : tensor<3xf32>
}
