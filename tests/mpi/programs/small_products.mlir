// A loop of small products: extents that fill vectors and extents that do not, a batch, a column-major left operand
func.func @main(%x: tensor<6x29xf32>, %w: tensor<29x29xf32>, %y: tensor<2x19x5xf64>, %v: tensor<2x5x5xf64>, %t: tensor<29x3xf32>) -> (tensor<6x29xf32>, tensor<2x19x5xf64>, tensor<3x29xf32>) {
  %n = stablehlo.constant dense<3> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %a = stablehlo.constant dense<0.0> : tensor<3x29xf32>
  %r:4 = stablehlo.while(%i = %zero, %p = %x, %q = %y, %s = %a) : tensor<i32>, tensor<6x29xf32>, tensor<2x19x5xf64>, tensor<3x29xf32>
  cond {
    %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %i1 = stablehlo.add %i, %one : tensor<i32>
    %p1 = stablehlo.dot_general %p, %w, contracting_dims = [1] x [0] : (tensor<6x29xf32>, tensor<29x29xf32>) -> tensor<6x29xf32>
    %q1 = stablehlo.dot_general %q, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x19x5xf64>, tensor<2x5x5xf64>) -> tensor<2x19x5xf64>
    %s1 = stablehlo.dot_general %t, %w, contracting_dims = [0] x [0] : (tensor<29x3xf32>, tensor<29x29xf32>) -> tensor<3x29xf32>
    %s2 = stablehlo.add %s, %s1 : tensor<3x29xf32>
    stablehlo.return %i1, %p1, %q1, %s2 : tensor<i32>, tensor<6x29xf32>, tensor<2x19x5xf64>, tensor<3x29xf32>
  }
  return %r#1, %r#2, %r#3 : tensor<6x29xf32>, tensor<2x19x5xf64>, tensor<3x29xf32>
}
