// An unannotated result, summed over x, that may be carried to the replicated argument of its type, or not be carried
module @kept attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%w: tensor<4x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %v: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %u: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> tensor<4xi32> {
    %0 = stablehlo.dot_general %w, %v, contracting_dims = [1] x [0] : (tensor<4x4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %1 = stablehlo.add %0, %u : tensor<4xi32>
    return %1 : tensor<4xi32>
  }
}
