// A slice of the first half of the rows: each device sends what the following devices need, and no device has the full value
// RUN: shardopt %s -shardrun-emit-forms
sdy.mesh @mesh = <["x"=4]>
func.func @main(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.slice %arg0 [0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
