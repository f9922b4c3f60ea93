func.func @main(%a: tensor<64x4096xf32>, %b: tensor<4096x64xf32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<64x64xf32>
  %i0 = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<400> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %i0, %s = %zero) : tensor<i32>, tensor<64x64xf32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %fb = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<64x4096xf32>
    %x = stablehlo.add %a, %fb : tensor<64x4096xf32>
    %p = stablehlo.dot %x, %b : (tensor<64x4096xf32>, tensor<4096x64xf32>) -> tensor<64x64xf32>
    %t = stablehlo.add %s, %p : tensor<64x64xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %t : tensor<i32>, tensor<64x64xf32>
  }
  return %r#1 : tensor<64x64xf32>
}
