// Control flow and constants have no sharding rule
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %0 = stablehlo.constant dense<1.0> : tensor<4xf32>
  %1 = stablehlo.optimization_barrier %0 : tensor<4xf32>
  %2 = stablehlo.iota dim = 0 : tensor<4xi32>
  return %1, %2 : tensor<4xf32>, tensor<4xi32>
}
