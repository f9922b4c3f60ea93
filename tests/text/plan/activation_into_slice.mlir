// Results that an update of a contiguous slice and other instructions read are written into the slice, and read there: a product, which a
// loop nest reads, and a nest, which products read. Not so if the result becomes the loop's state, if another slice
// of the stack is written before the last reader, or if the result is small.
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<96x96xf32>, %b: tensor<96x96xf32>) -> (tensor<4x96x96xf32>, tensor<4x96x96xf32>, tensor<4x96x96xf32>, tensor<5x96x96xf32>, tensor<4x16x96xf32>, tensor<96x96xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %c = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %stack = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<4x96x96xf32>
  %longer = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<5x96x96xf32>
  %small = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<4x16x96xf32>
  %r:7 = stablehlo.while(%i = %zero, %x = %a, %products = %stack, %nests = %stack, %states = %stack, %pairs = %longer, %rows = %small) : tensor<i32>, tensor<96x96xf32>, tensor<4x96x96xf32>, tensor<4x96x96xf32>, tensor<4x96x96xf32>, tensor<5x96x96xf32>, tensor<4x16x96xf32>
  cond {
    %go = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %product = stablehlo.dot_general %x, %b, contracting_dims = [1] x [0] : (tensor<96x96xf32>, tensor<96x96xf32>) -> tensor<96x96xf32>
    %layer = stablehlo.reshape %product : (tensor<96x96xf32>) -> tensor<1x96x96xf32>
    %products1 = stablehlo.dynamic_update_slice %products, %layer, %i, %zero, %zero : (tensor<4x96x96xf32>, tensor<1x96x96xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x96x96xf32>
    %nest = stablehlo.tanh %product : tensor<96x96xf32>
    %square = stablehlo.dot_general %nest, %nest, contracting_dims = [1] x [0] : (tensor<96x96xf32>, tensor<96x96xf32>) -> tensor<96x96xf32>
    %heads = stablehlo.reshape %nest : (tensor<96x96xf32>) -> tensor<6x16x6x16xf32>
    %scores = stablehlo.dot_general %heads, %heads, batching_dims = [2] x [2], contracting_dims = [3] x [3] : (tensor<6x16x6x16xf32>, tensor<6x16x6x16xf32>) -> tensor<6x6x16x6x16xf32>
    %sheet = stablehlo.reshape %nest : (tensor<96x96xf32>) -> tensor<1x96x96xf32>
    %nests1 = stablehlo.dynamic_update_slice %nests, %sheet, %i, %zero, %zero : (tensor<4x96x96xf32>, tensor<1x96x96xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x96x96xf32>
    %sum = stablehlo.reduce(%scores init: %c) applies stablehlo.add across dimensions = [0, 1, 3] : (tensor<6x6x16x6x16xf32>, tensor<f32>) -> tensor<16x16xf32>
    %first = stablehlo.dot_general %square, %x, contracting_dims = [1] x [1] : (tensor<96x96xf32>, tensor<96x96xf32>) -> tensor<96x96xf32>
    %page = stablehlo.reshape %first : (tensor<96x96xf32>) -> tensor<1x96x96xf32>
    %pairs1 = stablehlo.dynamic_update_slice %pairs, %page, %i, %zero, %zero : (tensor<5x96x96xf32>, tensor<1x96x96xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x96x96xf32>
    %second = stablehlo.dot_general %first, %b, contracting_dims = [1] x [1] : (tensor<96x96xf32>, tensor<96x96xf32>) -> tensor<96x96xf32>
    %leaf = stablehlo.reshape %second : (tensor<96x96xf32>) -> tensor<1x96x96xf32>
    %pairs2 = stablehlo.dynamic_update_slice %pairs1, %leaf, %j, %zero, %zero : (tensor<5x96x96xf32>, tensor<1x96x96xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x96x96xf32>
    %mix = stablehlo.dot_general %second, %first, contracting_dims = [1] x [0] : (tensor<96x96xf32>, tensor<96x96xf32>) -> tensor<96x96xf32>
    %few = stablehlo.slice %mix [0:16, 0:96] : (tensor<96x96xf32>) -> tensor<16x96xf32>
    %row = stablehlo.dot_general %sum, %few, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x96xf32>) -> tensor<16x96xf32>
    %line = stablehlo.reshape %row : (tensor<16x96xf32>) -> tensor<1x16x96xf32>
    %rows1 = stablehlo.dynamic_update_slice %rows, %line, %i, %zero, %zero : (tensor<4x16x96xf32>, tensor<1x16x96xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x16x96xf32>
    %all = stablehlo.dot_general %mix, %row, contracting_dims = [1] x [1] : (tensor<96x96xf32>, tensor<16x96xf32>) -> tensor<96x16xf32>
    %back = stablehlo.dot_general %all, %few, contracting_dims = [1] x [0] : (tensor<96x16xf32>, tensor<16x96xf32>) -> tensor<96x96xf32>
    %next = stablehlo.sine %back : tensor<96x96xf32>
    %state = stablehlo.reshape %next : (tensor<96x96xf32>) -> tensor<1x96x96xf32>
    %states1 = stablehlo.dynamic_update_slice %states, %state, %i, %zero, %zero : (tensor<4x96x96xf32>, tensor<1x96x96xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x96x96xf32>
    stablehlo.return %j, %next, %products1, %nests1, %states1, %pairs2, %rows1 : tensor<i32>, tensor<96x96xf32>, tensor<4x96x96xf32>, tensor<4x96x96xf32>, tensor<4x96x96xf32>, tensor<5x96x96xf32>, tensor<4x16x96xf32>
  }
  return %r#2, %r#3, %r#4, %r#5, %r#6, %r#1 : tensor<4x96x96xf32>, tensor<4x96x96xf32>, tensor<4x96x96xf32>, tensor<5x96x96xf32>, tensor<4x16x96xf32>, tensor<96x96xf32>
}
