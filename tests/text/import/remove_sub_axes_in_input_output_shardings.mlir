// Shardings of arguments and results are truncated at the first sub-axis.
// RUN: shardopt %s -sdy-remove-sub-axes-in-input-output-shardings
sdy.mesh @mesh = <["x"=8, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x":(1)2}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(2)4, "y"}, {}]>}) {
  return %a : tensor<8x8xf32>
}
