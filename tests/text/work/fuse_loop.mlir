// Only nests of scalars are fused into a loop's body.
// RUN: shardopt %s -shardrun-lower-to-work -shardrun-fuse -cse
module {
  func.func @main(%x: tensor<64xf32>, %n: tensor<i32>, %s: tensor<f32>) -> tensor<64xf32> {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %e = stablehlo.negate %x : tensor<64xf32>
    %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<64xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.multiply %y, %b : tensor<64xf32>
      %3 = stablehlo.add %2, %e : tensor<64xf32>
      stablehlo.return %1, %3 : tensor<i32>, tensor<64xf32>
    }
    return %0#1 : tensor<64xf32>
  }
}
