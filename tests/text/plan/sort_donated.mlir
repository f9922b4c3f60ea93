// A donated argument that is a long row is sorted in place
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%x: tensor<65536xi32> {tf.aliasing_output = 0 : i32}) -> tensor<65536xi32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<65536xi32>) -> tensor<65536xi32>
  return %0 : tensor<65536xi32>
}
