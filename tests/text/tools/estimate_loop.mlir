// The time estimate counts a loop with a static trip count as often as it is executed.
// RUN: shardrun --run=false --report=- %s | grep loops_estimated_once
func.func @main(%arg0: tensor<64xf32>) -> tensor<64xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_0 = stablehlo.constant dense<1> : tensor<i32>
  %c_1 = stablehlo.constant dense<100> : tensor<i32>
  %0:2 = stablehlo.while(%iter = %c, %x = %arg0) : tensor<i32>, tensor<64xf32>
  cond {
    %1 = stablehlo.compare LT, %iter, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.cosine %x : tensor<64xf32>
    %2 = stablehlo.add %iter, %c_0 : tensor<i32>
    stablehlo.return %2, %1 : tensor<i32>, tensor<64xf32>
  }
  return %0#1 : tensor<64xf32>
}
