// An indexing map whose loops are not in order, or whose results use missing loops, or with another number of loops than its nest, is refused.
// RUN: shardopt %s -split-input-file
// EXIT: 1
func.func @order(%x: tensor<4xf32>) {
  "work.nest"(%x) <{indexing_maps = [#work.map<(d1) -> [d1]>]}> ({}) : (tensor<4xf32>) -> ()
}
// -----
func.func @loop(%x: tensor<4xf32>) {
  "work.nest"(%x) <{indexing_maps = [#work.map<(d0) -> [2 * d0 + d1]>]}> ({}) : (tensor<4xf32>) -> ()
}
// -----
func.func @operand(%x: tensor<4xf32>) {
  "work.nest"(%x) <{indexing_maps = [#work.map<(d0) -> [clamp(d0, 0, 3)]>]}> ({}) : (tensor<4xf32>) -> ()
}
// -----
func.func @least(%x: tensor<4xf32>) {
  "work.nest"(%x) <{indexing_maps = [#work.map<(d0) -> [clamp(in0, 1, 3)]>]}> ({}) : (tensor<4xf32>) -> ()
}
// -----
func.func @number(%x: tensor<4xf32>) {
  "work.nest"(%x) <{indexing_maps = [#work.map<(d0) -> [9223372036854775807 * d0 + d0]>]}> ({}) : (tensor<4xf32>) -> ()
}
// -----
func.func @loops(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "work.nest"(%x) <{indexing_maps = [#work.map<(d0, d1) -> [d0]>], loops = array<i64: 4>, parallel = 1 : i64, result_indexing_maps = [#work.map<(d0) -> [d0]>]}> ({
  ^bb0(%a: tensor<f32>):
    "work.yield"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
func.func @index(%x: tensor<4xf32>) -> tensor<4xi64> {
  %r = "work.nest"() <{indexing_maps = [], loops = array<i64: 4>, parallel = 1 : i64, result_indexing_maps = [#work.map<(d0) -> [d0]>]}> ({
    %i = "work.index"() <{indexing_map = #work.map<(d0, d1) -> [d1]>}> : () -> tensor<i64>
    "work.yield"(%i) : (tensor<i64>) -> ()
  }) : () -> tensor<4xi64>
  return %r : tensor<4xi64>
}
