// A small loop whose products read slices at dynamic starts, of several integer types and out of bounds; one reads a concatenation
func.func @main(%w: tensor<4x12x20xf32>, %x: tensor<12x12xf32>) -> (tensor<12x12xf32>, tensor<12x24xf32>) {
  %first = stablehlo.constant dense<-1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %joined = stablehlo.constant dense<0.0> : tensor<12x24xf32>
  %r:3 = stablehlo.while(%i = %first, %acc = %x, %both = %joined) : tensor<i32>, tensor<12x12xf32>, tensor<12x24xf32>
  cond {
    %end = stablehlo.constant dense<6> : tensor<i32>
    %more = stablehlo.compare LT, %i, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %u = stablehlo.convert %i : (tensor<i32>) -> tensor<ui64>
    %uzero = stablehlo.constant dense<0> : tensor<ui64>
    %slice = stablehlo.dynamic_slice %w, %i, %zero, %i, sizes = [1, 12, 12] : (tensor<4x12x20xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x12x12xf32>
    %b = stablehlo.reshape %slice : (tensor<1x12x12xf32>) -> tensor<12x12xf32>
    %unsigned = stablehlo.dynamic_slice %w, %u, %uzero, %u, sizes = [1, 12, 12] : (tensor<4x12x20xf32>, tensor<ui64>, tensor<ui64>, tensor<ui64>) -> tensor<1x12x12xf32>
    %c = stablehlo.reshape %unsigned : (tensor<1x12x12xf32>) -> tensor<12x12xf32>
    %left = stablehlo.dot_general %acc, %b, contracting_dims = [1] x [0] : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %right = stablehlo.dot_general %c, %left, contracting_dims = [1] x [0] : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %small = stablehlo.tanh %right : tensor<12x12xf32>
    %back = stablehlo.dynamic_slice %w, %zero, %zero, %i, sizes = [1, 12, 12] : (tensor<4x12x20xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x12x12xf32>
    %d = stablehlo.reshape %back : (tensor<1x12x12xf32>) -> tensor<12x12xf32>
    %two = stablehlo.concatenate %d, %small, dim = 1 : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x24xf32>
    %sum = stablehlo.add %both, %two : tensor<12x24xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %small, %sum : tensor<i32>, tensor<12x12xf32>, tensor<12x24xf32>
  }
  return %r#1, %r#2 : tensor<12x12xf32>, tensor<12x24xf32>
}
