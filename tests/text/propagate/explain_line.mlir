// What stands on a line of the source, wherever in an op's location the line is named; the file's name may be cut in front.
// RUN: shardopt %s -sdy-propagation-pipeline --explain=model.py:4

sdy.mesh @mesh = <["x"=2]>

func.func @main(%arg0: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.tanh %arg0 : tensor<8xf32> loc("jit(f)/tanh"(callsite("f"("src/model.py":4:7) at "<module>"("run.py":9:1))))
  %1 = stablehlo.negate %0 : tensor<8xf32> loc("jit(f)/neg"("src/model.py":44:7))
  return %1 : tensor<8xf32>
}
