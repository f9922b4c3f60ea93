// A loop-invariant result larger than max-bytes stays in the loop
// RUN: shardopt %s -loop-invariant-motion=max-bytes=15
func.func @main(%w: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c, %x = %w) : tensor<i32>, tensor<4xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %n : tensor<i32>
    %b = stablehlo.tanh %w : tensor<4xf32>
    stablehlo.return %j, %b : tensor<i32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}
