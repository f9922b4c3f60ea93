// A producer before a loop is not fused into the loop
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%x: tensor<64xf32>, %n: tensor<i32>) -> tensor<64xf32> {
  %0 = stablehlo.tanh %x : tensor<64xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %1:2 = stablehlo.while(%i = %n, %s = %x) : tensor<i32>, tensor<64xf32>
  cond {
    %c = stablehlo.compare GT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.subtract %i, %one : tensor<i32>
    %t = stablehlo.multiply %s, %0 : tensor<64xf32>
    stablehlo.return %j, %t : tensor<i32>, tensor<64xf32>
  }
  return %1#1 : tensor<64xf32>
}
