// An unused op is removed
// RUN: shardopt %s -sdy-basic-propagate
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>

func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  %1 = stablehlo.negate %0 : tensor<8xf32>
  return %a : tensor<8xf32>
}
