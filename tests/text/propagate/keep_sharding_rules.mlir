// With keep-sharding-rules, rules stay on ops.
// RUN: shardopt %s -sdy-basic-propagate=keep-sharding-rules=true
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>

func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
