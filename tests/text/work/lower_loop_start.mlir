// Loop states that start from one splat get copies of it. A single state, or one that the loop does not change, gets no copy
// RUN: shardopt %s -shardrun-lower-to-work
func.func @loop(%arg0: tensor<2048xf32>, %arg1: tensor<i32>) -> (tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<2048xf32>
  %1 = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<2048xf32>
  %2:5 = stablehlo.while(%a = %0, %b = %0, %c = %0, %d = %1, %i = %arg1) : tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<i32>
  cond {
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.compare GT, %i, %c0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  } do {
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %3 = stablehlo.add %a, %arg0 : tensor<2048xf32>
    %4 = stablehlo.subtract %c, %arg0 : tensor<2048xf32>
    %5 = stablehlo.add %d, %b : tensor<2048xf32>
    %6 = stablehlo.subtract %i, %c1 : tensor<i32>
    stablehlo.return %3, %b, %4, %5, %6 : tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<i32>
  }
  return %2#0, %2#1, %2#2, %2#3 : tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>
}
