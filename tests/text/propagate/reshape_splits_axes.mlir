// The axis of a dimension merged by a reshape is split into sub-axes for the dimensions, and back.
// RUN: shardopt %s -sdy-basic-propagate
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>

func.func @main(%a: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z", "x"}]>}) -> (tensor<2x16xf32>, tensor<32xf32>) {
  %0 = stablehlo.reshape %a : (tensor<32xf32>) -> tensor<2x16xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x16xf32>) -> tensor<32xf32>
  return %0, %1 : tensor<2x16xf32>, tensor<32xf32>
}
