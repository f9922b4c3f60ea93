// A mask that compares the sum of an index and a scalar, such as the first row of a shard, with a constant stays in the loop with
// the sum. A sum that another op reads, and a comparison with another index, are hoisted.
// RUN: shardopt %s -loop-invariant-motion
func.func @main(%u: tensor<8x8xf32>, %start: tensor<i32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %x = %u) : tensor<i32>, tensor<8x8xf32>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %row = stablehlo.iota dim = 0 : tensor<8x8xi32>
    %column = stablehlo.iota dim = 1 : tensor<8x8xi32>
    %first = stablehlo.constant dense<0> : tensor<8x8xi32>
    %starts = stablehlo.broadcast_in_dim %start, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %grid_row = stablehlo.add %row, %starts : tensor<8x8xi32>
    %grid_column = stablehlo.add %column, %starts : tensor<8x8xi32>
    %border = stablehlo.compare GT, %grid_row, %first, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %causal = stablehlo.compare GE, %grid_column, %row, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %twice = stablehlo.add %x, %x : tensor<8x8xf32>
    %a = stablehlo.select %border, %twice, %x : tensor<8x8xi1>, tensor<8x8xf32>
    %b = stablehlo.select %causal, %a, %x : tensor<8x8xi1>, tensor<8x8xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %b : tensor<i32>, tensor<8x8xf32>
  }
  return %0#1 : tensor<8x8xf32>
}
