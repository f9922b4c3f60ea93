// A loop gets the debug information of its data-flow edges: origins of axes, and the sources they came through.
// RUN: shardopt %s -sdy-add-data-flow-edges -sdy-aggressive-propagate='debug-propagation-edge-sharding=true debug-sharding-origins=true' -sdy-sink-data-flow-edges='sink-debug-propagation-edge-sharding=true sink-debug-sharding-origins=true'

sdy.mesh @mesh = <["x"=2]>

func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %0:2 = stablehlo.while(%a = %arg0, %b = %arg1) : tensor<8xf32>, tensor<8xf32>
    cond {
    stablehlo.return %c : tensor<i1>
  } do {
    %1 = stablehlo.add %a, %b : tensor<8xf32>
    stablehlo.return %1, %b : tensor<8xf32>, tensor<8xf32>
  }
  return %0#0 : tensor<8xf32>
}
