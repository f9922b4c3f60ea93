// Equal constants are merged at the beginning of the function; constants in loops move there, too.
// RUN: shardopt %s -canonicalize
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %arg0 : tensor<4xf32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %1:2 = stablehlo.while(%i = %c, %x = %0) : tensor<i32>, tensor<4xf32>
   cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %k = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %k : tensor<i32>
    %y = stablehlo.add %x, %x : tensor<4xf32>
    stablehlo.return %j, %y : tensor<i32>, tensor<4xf32>
  }
  %m = stablehlo.add %1#0, %one : tensor<i32>
  return %1#1 : tensor<4xf32>
}
