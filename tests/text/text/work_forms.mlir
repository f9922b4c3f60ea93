// The work dialect is parsed and printed: indexing maps that are affine, offset by a clamped index, divided, or with a fill value; an index; yields.
// RUN: shardopt %s
func.func @main(%x: tensor<4xf32>, %p: tensor<f32>) -> tensor<4xf32> {
  %r = "work.nest"(%x, %p) <{indexing_maps = [#work.map<(d0) -> [d0]>, #work.map<(d0) -> []>], loops = array<i64: 4>, parallel = 1 : i64, result_indexing_maps = [#work.map<(d0) -> [d0]>]}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %i = "work.index"() <{indexing_map = #work.map<(d0) -> [- 2 + d0 + 2 * d0 + -3]>}> : () -> tensor<i64>
    %f = stablehlo.convert %i : (tensor<i64>) -> tensor<f32>
    %s = stablehlo.add %a, %f : tensor<f32>
    "work.yield"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @reads(%i: tensor<i32>, %j: tensor<4xi32>, %p: tensor<f32>, %x: tensor<9x7xf32>) -> tensor<4x3xf32> {
  %r = "work.nest"(%i, %j, %p, %x, %x, %x) <{indexing_maps = [#work.map<(d0, d1) -> []>, #work.map<(d0, d1) -> [d0]>, #work.map<(d0, d1) -> []>, #work.map<(d0, d1) -> [clamp(in0, 0, 8), clamp(in1, 0, 4) + d1]>, #work.map<(d0, d1) -> [(2 * d0 - 1) / 3, -d1 + 2] else in2>, #work.map<(d0, d1) -> [clamp(in0, 0, 3) + (d0 - 1) / 2, 0] else in2>], loops = array<i64: 4, 3>, parallel = 2 : i64, result_indexing_maps = [#work.map<(d0, d1) -> [d0, d1]>]}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<f32>, %e: tensor<f32>, %f: tensor<f32>):
    %0 = stablehlo.add %d, %e : tensor<f32>
    %1 = stablehlo.add %0, %f : tensor<f32>
    "work.yield"(%1) : (tensor<f32>) -> ()
  }) : (tensor<i32>, tensor<4xi32>, tensor<f32>, tensor<9x7xf32>, tensor<9x7xf32>, tensor<9x7xf32>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
