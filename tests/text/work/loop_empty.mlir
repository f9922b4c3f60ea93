// The initial value of a stack that the loop writes completely before it is read becomes work.empty
// RUN: shardopt %s -shardrun-lower-to-work
func.func @main(%a: tensor<1x16xf32>) -> tensor<8x16xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %c = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %stack = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
  %r:2 = stablehlo.while(%i = %zero, %x = %stack) : tensor<i32>, tensor<8x16xf32>
  cond {
    %go = stablehlo.compare LT, %i, %eight : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %x1 = stablehlo.dynamic_update_slice %x, %a, %i, %zero : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %x1 : tensor<i32>, tensor<8x16xf32>
  }
  return %r#1 : tensor<8x16xf32>
}
// The dropped initial value was the only user of one result of a reduction whose other result is still used: the reduction stays.
func.func @other_result_is_used(%a: tensor<1x16xf32>, %x: tensor<5xf32>) -> (tensor<8x16xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %c = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %sums:2 = stablehlo.reduce(%x init: %c), (%x init: %c) across dimensions = [0] : (tensor<5xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
    reducer(%p: tensor<f32>, %p0: tensor<f32>) (%q: tensor<f32>, %q0: tensor<f32>) {
    %s = stablehlo.add %p, %p0 : tensor<f32>
    %m = stablehlo.maximum %q, %q0 : tensor<f32>
    stablehlo.return %s, %m : tensor<f32>, tensor<f32>
  }
  %stack = stablehlo.broadcast_in_dim %sums#0, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
  %r:2 = stablehlo.while(%i = %zero, %y = %stack) : tensor<i32>, tensor<8x16xf32>
  cond {
    %go = stablehlo.compare LT, %i, %eight : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %y1 = stablehlo.dynamic_update_slice %y, %a, %i, %zero : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %y1 : tensor<i32>, tensor<8x16xf32>
  }
  return %r#1, %sums#1 : tensor<8x16xf32>, tensor<f32>
}
