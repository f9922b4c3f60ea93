// --explain with an op's name explains all its results; the chain passes through a loop and a function, whose values are distinguished from main's.
// RUN: shardopt %s -sdy-propagation-pipeline --explain=tanh

sdy.mesh @mesh = <["x"=2]>

func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.while(%a = %arg0) : tensor<8xf32>
    cond {
    stablehlo.return %c : tensor<i1>
  } do {
    %2 = stablehlo.negate %a : tensor<8xf32>
    stablehlo.return %2 : tensor<8xf32>
  }
  %1 = call @half(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

func.func private @half(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %arg0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}
