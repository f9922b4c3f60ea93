// The shardings of edge ops are moved to the ops that the edges belong to.
// RUN: shardopt %s -sdy-sink-data-flow-edges
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>

func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0:2 = stablehlo.optimization_barrier %a, %b : tensor<8xf32>, tensor<8xf32>
  %1 = sdy.data_flow_edge %0#0 : tensor<8xf32>
  %2 = sdy.data_flow_edge %0#1 sharding=<@mesh, [{"x", ?}]> : tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}
