// Loops that stay as they are: the next iteration reads the product; the rest of the body reads a value that depends on the product and is executed at once
// (a sum of two products in turn); the number of iterations is not known; both operands differ from iteration to iteration; the sum is read in the loop; the products
// are truncated before their sum
// RUN: shardopt %s -shardrun-chunk-loops='mode=on' | grep -c stablehlo.while
func.func @recurrence(%h0: tensor<2x2xf32>, %w: tensor<2x2xf32>, %n: tensor<i32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %six = stablehlo.constant dense<6> : tensor<i32>
  %a:2 = stablehlo.while(%i = %zero, %h = %h0) : tensor<i32>, tensor<2x2xf32>
  cond {
    %go_on = stablehlo.compare LT, %i, %six, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go_on : tensor<i1>
  } do {
    %p = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %t = stablehlo.tanh %p : tensor<2x2xf32>
    %q = stablehlo.dot_general %t, %w, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %q : tensor<i32>, tensor<2x2xf32>
  }
  %b:2 = stablehlo.while(%i = %zero, %h = %h0) : tensor<i32>, tensor<2x2xf32>
  cond {
    %go_on = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go_on : tensor<i1>
  } do {
    %p = stablehlo.dot_general %w, %w, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %t = stablehlo.add %h, %p : tensor<2x2xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %t : tensor<i32>, tensor<2x2xf32>
  }
  %c:3 = stablehlo.while(%i = %zero, %h = %h0, %s = %h0) : tensor<i32>, tensor<2x2xf32>, tensor<2x2xf32>
  cond {
    %go_on = stablehlo.compare LT, %i, %six, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go_on : tensor<i1>
  } do {
    %t = stablehlo.tanh %h : tensor<2x2xf32>
    %p = stablehlo.dot_general %t, %h, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %sum = stablehlo.add %s, %p : tensor<2x2xf32>
    %next = stablehlo.multiply %t, %sum : tensor<2x2xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %next, %sum : tensor<i32>, tensor<2x2xf32>, tensor<2x2xf32>
  }
  return %a#1, %b#1, %c#1, %c#2 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}
func.func @truncated(%a: tensor<8x4x6xf32>, %b: tensor<8x4x5xf32>) -> tensor<6x5xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %z = stablehlo.constant dense<0.0> : tensor<6x5xf32>
  %0:2 = stablehlo.while(%i = %zero, %u = %z) : tensor<i32>, tensor<6x5xf32>
  cond {
    %n = stablehlo.constant dense<8> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %zz = stablehlo.constant dense<0> : tensor<i32>
    %a0 = stablehlo.dynamic_slice %a, %i, %zz, %zz, sizes = [1, 4, 6] : (tensor<8x4x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x6xf32>
    %b0 = stablehlo.dynamic_slice %b, %i, %zz, %zz, sizes = [1, 4, 5] : (tensor<8x4x5xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x5xf32>
    %a1 = stablehlo.reshape %a0 : (tensor<1x4x6xf32>) -> tensor<4x6xf32>
    %b1 = stablehlo.reshape %b0 : (tensor<1x4x5xf32>) -> tensor<4x5xf32>
    %p = stablehlo.dot_general %a1, %b1, contracting_dims = [0] x [0] : (tensor<4x6xf32>, tensor<4x5xf32>) -> tensor<6x5xf32>
    %pi = stablehlo.convert %p : (tensor<6x5xf32>) -> tensor<6x5xi32>
    %pf = stablehlo.convert %pi : (tensor<6x5xi32>) -> tensor<6x5xf32>
    %s = stablehlo.add %u, %pf : tensor<6x5xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %s : tensor<i32>, tensor<6x5xf32>
  }
  return %0#1 : tensor<6x5xf32>
}
