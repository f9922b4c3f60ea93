// A sum with a tensor that is zero outside of a small slice is a sum of the slice, if the sum has no element -0 elsewhere. Sums with
// large slices, columns, or a tensor that may have -0 stay.
// RUN: shardopt %s -shardrun-simplify

func.func @from_zeros(%a: tensor<2x64xf32>, %b: tensor<2x64xf32>, %c: tensor<4x64xf32>, %i: tensor<i32>) -> tensor<32x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<32x64xf32>
  %j = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %zeros, %a, %i, %j : (tensor<32x64xf32>, tensor<2x64xf32>, tensor<i32>, tensor<i32>) -> tensor<32x64xf32>
  %1 = stablehlo.dynamic_update_slice %zeros, %b, %j, %j : (tensor<32x64xf32>, tensor<2x64xf32>, tensor<i32>, tensor<i32>) -> tensor<32x64xf32>
  %2 = stablehlo.pad %c, %zero, low = [3, 0], high = [25, 0], interior = [0, 0] : (tensor<4x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %3 = stablehlo.add %0, %1 : tensor<32x64xf32>
  %4 = stablehlo.add %2, %3 : tensor<32x64xf32>
  return %4 : tensor<32x64xf32>
}

func.func @in_loop(%x: tensor<1x64xf32>, %n: tensor<i32>) -> tensor<32x64xf32> {
  %zeros = stablehlo.constant dense<0.0> : tensor<32x64xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %acc = %zeros) : tensor<i32>, tensor<32x64xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_update_slice %zeros, %x, %i, %zero : (tensor<32x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<i32>) -> tensor<32x64xf32>
    %2 = stablehlo.add %acc, %1 : tensor<32x64xf32>
    %3 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %3, %2 : tensor<i32>, tensor<32x64xf32>
  }
  return %0#1 : tensor<32x64xf32>
}

func.func @unchanged(%y: tensor<32x64xf32>, %a: tensor<2x64xf32>, %b: tensor<16x64xf32>, %c: tensor<32x1xf32>) -> (tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %zero, low = [4, 0], high = [26, 0], interior = [0, 0] : (tensor<2x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %may_be_negative_zero = stablehlo.multiply %y, %y : tensor<32x64xf32>
  %1 = stablehlo.add %may_be_negative_zero, %0 : tensor<32x64xf32>
  %2 = stablehlo.pad %a, %zero, low = [8, 0], high = [22, 0], interior = [0, 0] : (tensor<2x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %3 = stablehlo.pad %b, %zero, low = [8, 0], high = [8, 0], interior = [0, 0] : (tensor<16x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %4 = stablehlo.add %2, %3 : tensor<32x64xf32>
  %5 = stablehlo.pad %a, %zero, low = [9, 0], high = [21, 0], interior = [0, 0] : (tensor<2x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %6 = stablehlo.pad %c, %zero, low = [0, 7], high = [0, 56], interior = [0, 0] : (tensor<32x1xf32>, tensor<f32>) -> tensor<32x64xf32>
  %7 = stablehlo.add %5, %6 : tensor<32x64xf32>
  return %1, %4, %7 : tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>
}

// The second result of a barrier may have -0 though the first has none, and so may parts of complex numbers.
func.func @may_have_negative_zero(%a: tensor<2x64xf32>, %y: tensor<32x64xf32>, %b: tensor<2x64xcomplex<f32>>, %z: tensor<32x64xcomplex<f32>>, %i: tensor<i32>) -> (tensor<32x64xf32>, tensor<32x64xcomplex<f32>>) {
  %zeros = stablehlo.constant dense<0.0> : tensor<32x64xf32>
  %complex_zeros = stablehlo.constant dense<(0.0, 0.0)> : tensor<32x64xcomplex<f32>>
  %j = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.optimization_barrier %zeros, %y : tensor<32x64xf32>, tensor<32x64xf32>
  %1 = stablehlo.dynamic_update_slice %zeros, %a, %i, %j : (tensor<32x64xf32>, tensor<2x64xf32>, tensor<i32>, tensor<i32>) -> tensor<32x64xf32>
  %2 = stablehlo.add %0#1, %1 : tensor<32x64xf32>
  %3 = stablehlo.multiply %z, %z : tensor<32x64xcomplex<f32>>
  %4 = stablehlo.dynamic_update_slice %complex_zeros, %b, %i, %j : (tensor<32x64xcomplex<f32>>, tensor<2x64xcomplex<f32>>, tensor<i32>, tensor<i32>) -> tensor<32x64xcomplex<f32>>
  %5 = stablehlo.add %3, %4 : tensor<32x64xcomplex<f32>>
  return %2, %5 : tensor<32x64xf32>, tensor<32x64xcomplex<f32>>
}

// Constant indices out of bounds are those of the nearest slice; complex sums of slices are decomposed, too.
func.func @out_of_bounds(%a: tensor<2x64xcomplex<f32>>, %b: tensor<2x64xcomplex<f32>>) -> tensor<32x64xcomplex<f32>> {
  %zeros = stablehlo.constant dense<(0.0, 0.0)> : tensor<32x64xcomplex<f32>>
  %above = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %0 = stablehlo.constant dense<0> : tensor<ui64>
  %below = stablehlo.constant dense<-1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.dynamic_update_slice %zeros, %a, %above, %0 : (tensor<32x64xcomplex<f32>>, tensor<2x64xcomplex<f32>>, tensor<ui64>, tensor<ui64>) -> tensor<32x64xcomplex<f32>>
  %2 = stablehlo.dynamic_update_slice %zeros, %b, %below, %zero : (tensor<32x64xcomplex<f32>>, tensor<2x64xcomplex<f32>>, tensor<i32>, tensor<i32>) -> tensor<32x64xcomplex<f32>>
  %3 = stablehlo.add %1, %2 : tensor<32x64xcomplex<f32>>
  return %3 : tensor<32x64xcomplex<f32>>
}

// The tensor to which a loop adds slices may have -0 at first.
func.func @loop_from_argument(%x: tensor<1x64xf32>, %y: tensor<32x64xf32>, %n: tensor<i32>) -> tensor<32x64xf32> {
  %zeros = stablehlo.constant dense<0.0> : tensor<32x64xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %acc = %y) : tensor<i32>, tensor<32x64xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_update_slice %zeros, %x, %i, %zero : (tensor<32x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<i32>) -> tensor<32x64xf32>
    %2 = stablehlo.add %acc, %1 : tensor<32x64xf32>
    %3 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %3, %2 : tensor<i32>, tensor<32x64xf32>
  }
  return %0#1 : tensor<32x64xf32>
}

// Values with several readers stay, and so do pads that leave elements out.
func.func @used_twice(%a: tensor<2x64xf32>, %i: tensor<i32>) -> (tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<32x64xf32>
  %j = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %zeros, %a, %i, %j : (tensor<32x64xf32>, tensor<2x64xf32>, tensor<i32>, tensor<i32>) -> tensor<32x64xf32>
  %1 = stablehlo.dynamic_update_slice %zeros, %a, %j, %j : (tensor<32x64xf32>, tensor<2x64xf32>, tensor<i32>, tensor<i32>) -> tensor<32x64xf32>
  %2 = stablehlo.add %0, %1 : tensor<32x64xf32>
  %3 = stablehlo.pad %a, %zero, low = [-1, 0], high = [31, 0], interior = [0, 0] : (tensor<2x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %4 = stablehlo.pad %a, %zero, low = [31, 0], high = [-1, 0], interior = [0, 0] : (tensor<2x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  %5 = stablehlo.add %3, %4 : tensor<32x64xf32>
  return %0, %1, %2, %5 : tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>
}

// A sum with another reader is not added to: it would be copied.
func.func @sum_used_twice(%a: tensor<2x64xf32>, %i: tensor<i32>) -> (tensor<32x64xf32>, tensor<32x64xf32>) {
  %zeros = stablehlo.constant dense<0.0> : tensor<32x64xf32>
  %j = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %zeros, %a, %i, %j : (tensor<32x64xf32>, tensor<2x64xf32>, tensor<i32>, tensor<i32>) -> tensor<32x64xf32>
  %1 = stablehlo.dynamic_update_slice %zeros, %a, %j, %j : (tensor<32x64xf32>, tensor<2x64xf32>, tensor<i32>, tensor<i32>) -> tensor<32x64xf32>
  %2 = stablehlo.dynamic_update_slice %zeros, %a, %i, %i : (tensor<32x64xf32>, tensor<2x64xf32>, tensor<i32>, tensor<i32>) -> tensor<32x64xf32>
  %3 = stablehlo.add %0, %1 : tensor<32x64xf32>
  %4 = stablehlo.add %3, %2 : tensor<32x64xf32>
  return %3, %4 : tensor<32x64xf32>, tensor<32x64xf32>
}
