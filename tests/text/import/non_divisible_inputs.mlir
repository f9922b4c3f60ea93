// Shardings of arguments and results are truncated until they divide the dimensions evenly.
// RUN: shardopt %s -sdy-update-non-divisible-input-output-shardings
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>

func.func @main(%a: tensor<2x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}, {"x", "y"}]>}) -> (tensor<2x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"z"}]>}) {
  return %a : tensor<2x6xf32>
}
