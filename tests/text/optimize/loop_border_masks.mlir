// A mask that compares an index with a constant, such as the border of a grid, stays in the loop: it is constant in most iterations of
// a compiled loop nest. Masks that alternate, or compare two indices, are hoisted.
// RUN: shardopt %s -loop-invariant-motion
func.func @main(%u: tensor<8x8xf32>) -> tensor<8x8xf32> {
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
    %last = stablehlo.constant dense<7> : tensor<8x8xi32>
    %two = stablehlo.constant dense<2> : tensor<8x8xi32>
    %above = stablehlo.compare GT, %row, %first, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %below = stablehlo.compare LT, %column, %last, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %border = stablehlo.and %above, %below : tensor<8x8xi1>
    %parity = stablehlo.remainder %row, %two : tensor<8x8xi32>
    %even = stablehlo.compare EQ, %parity, %first, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %causal = stablehlo.compare GE, %row, %column, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %twice = stablehlo.add %x, %x : tensor<8x8xf32>
    %a = stablehlo.select %border, %twice, %x : tensor<8x8xi1>, tensor<8x8xf32>
    %b = stablehlo.select %even, %a, %x : tensor<8x8xi1>, tensor<8x8xf32>
    %c = stablehlo.select %causal, %b, %x : tensor<8x8xi1>, tensor<8x8xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %c : tensor<i32>, tensor<8x8xf32>
  }
  return %0#1 : tensor<8x8xf32>
}
