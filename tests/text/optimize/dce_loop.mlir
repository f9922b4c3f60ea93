// A loop-carried value that only feeds itself is removed with its computation; a value that the condition uses stays
// RUN: shardopt %s -dce
func.func @main(%arg0: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %dead = stablehlo.sine %arg0 : tensor<4xf32>
  %0:3 = stablehlo.while(%i = %c, %x = %arg0, %y = %dead) : tensor<i32>, tensor<4xf32>, tensor<4xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<mesh<["a"=2]>, []>, <mesh<["a"=2]>, [{"a"}]>, <mesh<["a"=2]>, [{}]>]>}
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %x2 = stablehlo.add %x, %x : tensor<4xf32>
    %y2 = stablehlo.add %y, %x : tensor<4xf32>
    stablehlo.return %j, %x2, %y2 : tensor<i32>, tensor<4xf32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}
