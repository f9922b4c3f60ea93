// A value that a loop yields unchanged is captured instead of carried.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%n: tensor<i32>, %x: tensor<8xf32>) -> (tensor<i32>, tensor<8xf32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %v = %x, %m = %n) : tensor<i32>, tensor<8xf32>, tensor<i32>
   cond {
    %1 = stablehlo.compare LT, %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %1, %v, %m : tensor<i32>, tensor<8xf32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<i32>, tensor<8xf32>
}
