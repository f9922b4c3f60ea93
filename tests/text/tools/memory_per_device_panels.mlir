// Products in panels fit in little more than arguments and results. The result, which is larger than both operands, is updated in strips.
// RUN: shardrun --cache=off --run=false -q --memory-per-device=38M %s
module {
  sdy.mesh @mesh = <["x"=3, "y"=2]>
  func.func public @main(%a: tensor<6144x768xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<768x6144xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6144x6144xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<6144x768xf32>, tensor<768x6144xf32>) -> tensor<6144x6144xf32>
    return %0 : tensor<6144x6144xf32>
  }
}
