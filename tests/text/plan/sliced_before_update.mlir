// A slice that is read after an update of its source, and cannot be read before, is copied: one layer, not all layers
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%w: tensor<4x16x16xf32>) -> (tensor<4x16x16xf32>, tensor<16x16xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<16x16xf32>
  %loop:3 = stablehlo.while(%k = %zero, %stack = %w, %acc = %none) : tensor<i32>, tensor<4x16x16xf32>, tensor<16x16xf32>
  cond {
    %end = stablehlo.constant dense<4> : tensor<i32>
    %more = stablehlo.compare LT, %k, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %slice = stablehlo.dynamic_slice %stack, %k, %zero, %zero, sizes = [1, 16, 16] : (tensor<4x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16xf32>
    %old = stablehlo.reshape %slice : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    %update = stablehlo.reshape %acc : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %new = stablehlo.dynamic_update_slice %stack, %update, %k, %zero, %zero : (tensor<4x16x16xf32>, tensor<1x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x16x16xf32>
    %other = stablehlo.dynamic_slice %new, %zero, %zero, %zero, sizes = [1, 16, 16] : (tensor<4x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16xf32>
    %first = stablehlo.reshape %other : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    %sum = stablehlo.dot_general %old, %first, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %k, %one : tensor<i32>
    stablehlo.return %next, %new, %sum : tensor<i32>, tensor<4x16x16xf32>, tensor<16x16xf32>
  }
  return %loop#1, %loop#2 : tensor<4x16x16xf32>, tensor<16x16xf32>
}
