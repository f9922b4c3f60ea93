// Ops selected by position among those with a sharded operand or result, in program order
// RUN: shardopt %s -sdy-per-instruction-partitioning='filter="selectLow=1, selectHigh=1"'

sdy.mesh @mesh = <["x"=2]>

func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %arg1 : tensor<4xf32>
  %1 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4xf32>
  %2 = stablehlo.add %1, %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4xf32>
  %3 = stablehlo.abs %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4xf32>
  return %3 : tensor<4xf32>
}
