// ops of work: an index, whether a point lies inside of extents, and what a tile yields
// RUN: shardopt %s
func.func @main(%x: tensor<4xf32>, %p: tensor<f32>) -> tensor<4xf32> {
  %r = "work.tile"(%x, %p) <{accesses = [#work.access<map = [1, 0]>, #work.access<>], loops = array<i64: 4>, parallel = 1 : i64, result_accesses = [#work.access<map = [1, 0]>]}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %i = "work.index"() <{access = #work.access<map = [1, 1]>}> : () -> tensor<i64>
    %f = stablehlo.convert %i : (tensor<i64>) -> tensor<f32>
    %s = stablehlo.add %a, %f : tensor<f32>
    %in = "work.inside"() <{access = #work.access<map = [1, -1]>, extents = array<i64: 2>}> : () -> tensor<i1>
    %v = stablehlo.select %in, %s, %b : tensor<i1>, tensor<f32>
    "work.yield"(%v) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
