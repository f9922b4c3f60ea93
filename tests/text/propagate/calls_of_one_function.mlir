// Calls of one function with different shardings get functions of their own.
// RUN: shardopt %s -sdy-propagation-pipeline
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>

func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, %c: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @f(%b) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @f(%c) : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
