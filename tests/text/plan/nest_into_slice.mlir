// A loop nest and a matrix product of which only an update of a contiguous slice reads a result write the slice themselves. Not so if the
// result has another reader, if the nest reads the updated value, or if the slice is not contiguous.
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %first: tensor<4x16x16xf32>) -> (tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<16x64xf32>, tensor<16x16xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %sixteen = stablehlo.constant dense<16> : tensor<i32>
  %c = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %stack = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
  %wide = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
  %r:7 = stablehlo.while(%i = %zero, %x = %a, %nests = %stack, %products = %stack, %read = %stack, %read_before = %first, %columns = %wide) : tensor<i32>, tensor<16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<16x64xf32>
  cond {
    %go = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %product = stablehlo.dot_general %x, %b, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %layer = stablehlo.reshape %product : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %read1 = stablehlo.dynamic_update_slice %read, %layer, %i, %zero, %zero : (tensor<4x16x16xf32>, tensor<1x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x16x16xf32>
    %next = stablehlo.tanh %product : tensor<16x16xf32>
    %cosine = stablehlo.cosine %product : tensor<16x16xf32>
    %cosines = stablehlo.reshape %cosine : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %nests1 = stablehlo.dynamic_update_slice %nests, %cosines, %i, %zero, %zero : (tensor<4x16x16xf32>, tensor<1x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x16x16xf32>
    %square = stablehlo.dot_general %next, %next, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %squares = stablehlo.reshape %square : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %products1 = stablehlo.dynamic_update_slice %products, %squares, %i, %zero, %zero : (tensor<4x16x16xf32>, tensor<1x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x16x16xf32>
    %old = stablehlo.dynamic_slice %read_before, %i, %zero, %zero, sizes = [1, 16, 16] : (tensor<4x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16xf32>
    %new = stablehlo.cosine %old : tensor<1x16x16xf32>
    %read_before1 = stablehlo.dynamic_update_slice %read_before, %new, %i, %zero, %zero : (tensor<4x16x16xf32>, tensor<1x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x16x16xf32>
    %at = stablehlo.multiply %i, %sixteen : tensor<i32>
    %sine = stablehlo.sine %next : tensor<16x16xf32>
    %columns1 = stablehlo.dynamic_update_slice %columns, %sine, %zero, %at : (tensor<16x64xf32>, tensor<16x16xf32>, tensor<i32>, tensor<i32>) -> tensor<16x64xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %next, %nests1, %products1, %read1, %read_before1, %columns1 : tensor<i32>, tensor<16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<16x64xf32>
  }
  return %r#2, %r#3, %r#4, %r#5, %r#6, %r#1 : tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<16x64xf32>, tensor<16x16xf32>
}
