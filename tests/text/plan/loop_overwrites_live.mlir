// A stack without an initial value is live in the entire loop: %wide, which is dead before the stack is first named, has other memory
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x16xf32>, %d: tensor<16x64xf32>) -> tensor<4x64x16xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %fill = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %stack = stablehlo.broadcast_in_dim %fill, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
  %r:3 = stablehlo.while(%i = %zero, %x = %a, %s = %stack) : tensor<i32>, tensor<64x64xf32>, tensor<4x64x16xf32>
  cond {
    %go = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %wide = stablehlo.dot_general %x, %b, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %narrow = stablehlo.dot_general %wide, %c, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
    %cosine = stablehlo.cosine %narrow : tensor<64x16xf32>
    %layer = stablehlo.reshape %cosine : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %s1 = stablehlo.dynamic_update_slice %s, %layer, %i, %zero, %zero : (tensor<4x64x16xf32>, tensor<1x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x64x16xf32>
    %next = stablehlo.dot_general %narrow, %d, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x64xf32>) -> tensor<64x64xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %next, %s1 : tensor<i32>, tensor<64x64xf32>, tensor<4x64x16xf32>
  }
  return %r#2 : tensor<4x64x16xf32>
}
