// The shardings of function edge ops are moved to arguments, results and calls.
// RUN: shardopt %s -sdy-sink-func-data-flow-edges
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = call @f(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.func_data_flow_edge %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  %2 = stablehlo.negate %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
func.func private @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = sdy.func_data_flow_edge %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
