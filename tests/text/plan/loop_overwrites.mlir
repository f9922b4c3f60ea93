// Loop state that a loop overwrites completely before it is read has no initial value: %x and %y are not filled. %z is written in
// half, %s is read by the body, %t is written in one row: these are.
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<1x16xf32>, %b: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<16x8xf32>, tensor<16x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %c = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %stack = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
  %columns = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
  %longer = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
  %column = stablehlo.reshape %a : (tensor<1x16xf32>) -> tensor<16x1xf32>
  %r:6 = stablehlo.while(%i = %zero, %x = %stack, %y = %columns, %z = %longer, %s = %stack, %t = %b) : tensor<i32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<16x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  cond {
    %p = stablehlo.compare LT, %i, %eight : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %back = stablehlo.subtract %seven, %i : tensor<i32>
    %x1 = stablehlo.dynamic_update_slice %x, %a, %back, %zero : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %y1 = stablehlo.dynamic_update_slice %y, %column, %zero, %i : (tensor<16x8xf32>, tensor<16x1xf32>, tensor<i32>, tensor<i32>) -> tensor<16x8xf32>
    %z1 = stablehlo.dynamic_update_slice %z, %a, %i, %zero : (tensor<16x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<16x16xf32>
    %row = stablehlo.dynamic_slice %s, %i, %zero, sizes = [1, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %sum = stablehlo.add %row, %a : tensor<1x16xf32>
    %s1 = stablehlo.dynamic_update_slice %s, %sum, %i, %zero : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %t1 = stablehlo.dynamic_update_slice %t, %a, %one, %zero : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %x1, %y1, %z1, %s1, %t1 : tensor<i32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<16x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  }
  return %r#1, %r#2, %r#3, %r#4, %r#5 : tensor<8x16xf32>, tensor<16x8xf32>, tensor<16x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}
