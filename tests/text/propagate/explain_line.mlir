// --explain with a source line explains the values of the line, whatever part of an op's location names it; the file name may be abbreviated at the front.
// RUN: shardopt %s -sdy-propagation-pipeline --explain=model.py:4

sdy.mesh @mesh = <["x"=2]>

func.func @main(%arg0: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.tanh %arg0 : tensor<8xf32> loc("jit(f)/tanh"(callsite("f"("src/model.py":4:7) at "<module>"("run.py":9:1))))
  %1 = stablehlo.negate %0 : tensor<8xf32> loc("jit(f)/neg"("src/model.py":44:7))
  return %1 : tensor<8xf32>
}
