// An index that a nest's body computes is refused if it depends on the operand it indexes, is not an integer, or does not exist, and a
// fill value if it is not an earlier operand.
// RUN: shardopt %s -split-input-file
// EXIT: 1
func.func @cycle(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = "work.nest"(%x) <{indexing_maps = [#work.map<(d0) -> [clamp(in1, 0, 3)]>], loops = array<i64: 4>, parallel = 1 : i64, result_indexing_maps = [#work.map<(d0) -> [d0]>]}> ({
  ^bb0(%a: tensor<i32>):
    %i = stablehlo.add %a, %a : tensor<i32>
    "work.yield"(%a, %i) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
func.func @float(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r = "work.nest"(%x, %y) <{indexing_maps = [#work.map<(d0) -> [d0]>, #work.map<(d0) -> [clamp(in2, 0, 3)]>], loops = array<i64: 4>, parallel = 1 : i64, result_indexing_maps = [#work.map<(d0) -> [d0]>]}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %i = stablehlo.add %a, %a : tensor<f32>
    "work.yield"(%b, %i) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
func.func @missing(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "work.nest"(%x) <{indexing_maps = [#work.map<(d0) -> [clamp(in1, 0, 3)]>], loops = array<i64: 4>, parallel = 1 : i64, result_indexing_maps = [#work.map<(d0) -> [d0]>]}> ({
  ^bb0(%a: tensor<f32>):
    "work.yield"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
func.func @fill(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %r = "work.nest"(%x, %y) <{indexing_maps = [#work.map<(d0) -> [d0] else in1>, #work.map<(d0) -> [clamp(in0, 0, 3)]>], loops = array<i64: 4>, parallel = 1 : i64, result_indexing_maps = [#work.map<(d0) -> [d0]>]}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "work.yield"(%a) : (tensor<i32>) -> ()
  }) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
