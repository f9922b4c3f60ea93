// The large operand keeps its sharding, though the result has another one
// RUN: shardopt %s -shardrun-insert-reshards

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%arg0: tensor<1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg1: tensor<1024x8xf32>) -> (tensor<1024x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<1024x1024xf32>, tensor<1024x8xf32>) -> tensor<1024x8xf32>
  return %0 : tensor<1024x8xf32>
}
