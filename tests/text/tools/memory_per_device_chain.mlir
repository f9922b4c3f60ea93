// A limit just below the peak of a chain of products: the gathered values are small beside the arguments, and are decomposed into chunks
// that are small beside the memory that arguments and results leave free.
// RUN: shardrun --cache=off --run=false -q --memory-per-device=29884415 %s
module {
  sdy.mesh @mesh = <["x"=3, "y"=2]>
  func.func public @main(%a: tensor<1536x1536xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<1536x1536xf32>, %c: tensor<1536x1536xf32>, %d: tensor<1536x1536xf32>) -> tensor<1536x1536xf32> {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1536x1536xf32>, tensor<1536x1536xf32>) -> tensor<1536x1536xf32>
    %1 = stablehlo.dot_general %0, %c, contracting_dims = [1] x [0] : (tensor<1536x1536xf32>, tensor<1536x1536xf32>) -> tensor<1536x1536xf32>
    %2 = stablehlo.dot_general %1, %d, contracting_dims = [1] x [0] : (tensor<1536x1536xf32>, tensor<1536x1536xf32>) -> tensor<1536x1536xf32>
    return %2 : tensor<1536x1536xf32>
  }
}
