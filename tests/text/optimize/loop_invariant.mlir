// Loop-invariant ops move before the loop, with their operands; a broadcast alone stays
// RUN: shardopt %s -loop-invariant-motion
func.func @main(%arg0: tensor<4xf32>, %w: tensor<4xf32>, %n: tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%i = %c, %x = %arg0, %same = %w) : tensor<i32>, tensor<4xf32>, tensor<4xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %half = stablehlo.constant dense<5.0e-01> : tensor<4xf32>
    %a = stablehlo.multiply %same, %half : tensor<4xf32>
    %b = stablehlo.tanh %a : tensor<4xf32>
    %d = stablehlo.add %x, %b : tensor<4xf32>
    stablehlo.return %j, %d, %same : tensor<i32>, tensor<4xf32>, tensor<4xf32>
  }
  return %0#1, %0#2 : tensor<4xf32>, tensor<4xf32>
}
