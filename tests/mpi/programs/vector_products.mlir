// A loop of small products of matrices and vectors.
// Rows have up to 16, up to 32 and more elements; columns have the length of several vectors, and less than one vector
func.func @main(%a0: tensor<7x3xf32>, %x0: tensor<3xf32>, %a1: tensor<5x8xf32>, %x1: tensor<8xf32>, %a2: tensor<9x16xf32>, %x2: tensor<16xf32>, %a3: tensor<6x17xf32>, %x3: tensor<17xf32>, %a4: tensor<5x31xf32>, %x4: tensor<31xf32>, %a5: tensor<4x32xf32>, %x5: tensor<32xf32>, %a6: tensor<3x45xf32>, %x6: tensor<45xf32>, %a7: tensor<19x85xf32>, %x7: tensor<19xf32>, %a8: tensor<40x13xf32>, %x8: tensor<40xf32>, %a9: tensor<9x3xf32>, %x9: tensor<9xf32>, %a10: tensor<7x3xf64>, %x10: tensor<3xf64>, %a11: tensor<5x8xf64>, %x11: tensor<8xf64>, %a12: tensor<9x16xf64>, %x12: tensor<16xf64>, %a13: tensor<6x17xf64>, %x13: tensor<17xf64>, %a14: tensor<5x31xf64>, %x14: tensor<31xf64>, %a15: tensor<4x32xf64>, %x15: tensor<32xf64>, %a16: tensor<3x45xf64>, %x16: tensor<45xf64>, %a17: tensor<19x85xf64>, %x17: tensor<19xf64>, %a18: tensor<40x13xf64>, %x18: tensor<40xf64>, %a19: tensor<9x3xf64>, %x19: tensor<9xf64>) -> (tensor<7xf32>, tensor<5xf32>, tensor<9xf32>, tensor<6xf32>, tensor<5xf32>, tensor<4xf32>, tensor<3xf32>, tensor<85xf32>, tensor<13xf32>, tensor<3xf32>, tensor<7xf64>, tensor<5xf64>, tensor<9xf64>, tensor<6xf64>, tensor<5xf64>, tensor<4xf64>, tensor<3xf64>, tensor<85xf64>, tensor<13xf64>, tensor<3xf64>) {
  %n = stablehlo.constant dense<2> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %z0 = stablehlo.constant dense<0.0> : tensor<7xf32>
  %z1 = stablehlo.constant dense<0.0> : tensor<5xf32>
  %z2 = stablehlo.constant dense<0.0> : tensor<9xf32>
  %z3 = stablehlo.constant dense<0.0> : tensor<6xf32>
  %z4 = stablehlo.constant dense<0.0> : tensor<5xf32>
  %z5 = stablehlo.constant dense<0.0> : tensor<4xf32>
  %z6 = stablehlo.constant dense<0.0> : tensor<3xf32>
  %z7 = stablehlo.constant dense<0.0> : tensor<85xf32>
  %z8 = stablehlo.constant dense<0.0> : tensor<13xf32>
  %z9 = stablehlo.constant dense<0.0> : tensor<3xf32>
  %z10 = stablehlo.constant dense<0.0> : tensor<7xf64>
  %z11 = stablehlo.constant dense<0.0> : tensor<5xf64>
  %z12 = stablehlo.constant dense<0.0> : tensor<9xf64>
  %z13 = stablehlo.constant dense<0.0> : tensor<6xf64>
  %z14 = stablehlo.constant dense<0.0> : tensor<5xf64>
  %z15 = stablehlo.constant dense<0.0> : tensor<4xf64>
  %z16 = stablehlo.constant dense<0.0> : tensor<3xf64>
  %z17 = stablehlo.constant dense<0.0> : tensor<85xf64>
  %z18 = stablehlo.constant dense<0.0> : tensor<13xf64>
  %z19 = stablehlo.constant dense<0.0> : tensor<3xf64>
  %r:21 = stablehlo.while(%i = %zero, %y0 = %z0, %y1 = %z1, %y2 = %z2, %y3 = %z3, %y4 = %z4, %y5 = %z5, %y6 = %z6, %y7 = %z7, %y8 = %z8, %y9 = %z9, %y10 = %z10, %y11 = %z11, %y12 = %z12, %y13 = %z13, %y14 = %z14, %y15 = %z15, %y16 = %z16, %y17 = %z17, %y18 = %z18, %y19 = %z19) : tensor<i32>, tensor<7xf32>, tensor<5xf32>, tensor<9xf32>, tensor<6xf32>, tensor<5xf32>, tensor<4xf32>, tensor<3xf32>, tensor<85xf32>, tensor<13xf32>, tensor<3xf32>, tensor<7xf64>, tensor<5xf64>, tensor<9xf64>, tensor<6xf64>, tensor<5xf64>, tensor<4xf64>, tensor<3xf64>, tensor<85xf64>, tensor<13xf64>, tensor<3xf64>
  cond {
    %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %i1 = stablehlo.add %i, %one : tensor<i32>
    %v0 = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %b0 = stablehlo.broadcast_in_dim %v0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %w0 = stablehlo.add %x0, %b0 : tensor<3xf32>
    %p0 = stablehlo.dot_general %a0, %w0, contracting_dims = [1] x [0] : (tensor<7x3xf32>, tensor<3xf32>) -> tensor<7xf32>
    %q0 = stablehlo.add %y0, %p0 : tensor<7xf32>
    %v1 = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %b1 = stablehlo.broadcast_in_dim %v1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %w1 = stablehlo.add %x1, %b1 : tensor<8xf32>
    %p1 = stablehlo.dot_general %a1, %w1, contracting_dims = [1] x [0] : (tensor<5x8xf32>, tensor<8xf32>) -> tensor<5xf32>
    %q1 = stablehlo.add %y1, %p1 : tensor<5xf32>
    %v2 = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %b2 = stablehlo.broadcast_in_dim %v2, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %w2 = stablehlo.add %x2, %b2 : tensor<16xf32>
    %p2 = stablehlo.dot_general %a2, %w2, contracting_dims = [1] x [0] : (tensor<9x16xf32>, tensor<16xf32>) -> tensor<9xf32>
    %q2 = stablehlo.add %y2, %p2 : tensor<9xf32>
    %v3 = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %b3 = stablehlo.broadcast_in_dim %v3, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %w3 = stablehlo.add %x3, %b3 : tensor<17xf32>
    %p3 = stablehlo.dot_general %a3, %w3, contracting_dims = [1] x [0] : (tensor<6x17xf32>, tensor<17xf32>) -> tensor<6xf32>
    %q3 = stablehlo.add %y3, %p3 : tensor<6xf32>
    %v4 = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %b4 = stablehlo.broadcast_in_dim %v4, dims = [] : (tensor<f32>) -> tensor<31xf32>
    %w4 = stablehlo.add %x4, %b4 : tensor<31xf32>
    %p4 = stablehlo.dot_general %a4, %w4, contracting_dims = [1] x [0] : (tensor<5x31xf32>, tensor<31xf32>) -> tensor<5xf32>
    %q4 = stablehlo.add %y4, %p4 : tensor<5xf32>
    %v5 = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %b5 = stablehlo.broadcast_in_dim %v5, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %w5 = stablehlo.add %x5, %b5 : tensor<32xf32>
    %p5 = stablehlo.dot_general %a5, %w5, contracting_dims = [1] x [0] : (tensor<4x32xf32>, tensor<32xf32>) -> tensor<4xf32>
    %q5 = stablehlo.add %y5, %p5 : tensor<4xf32>
    %v6 = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %b6 = stablehlo.broadcast_in_dim %v6, dims = [] : (tensor<f32>) -> tensor<45xf32>
    %w6 = stablehlo.add %x6, %b6 : tensor<45xf32>
    %p6 = stablehlo.dot_general %a6, %w6, contracting_dims = [1] x [0] : (tensor<3x45xf32>, tensor<45xf32>) -> tensor<3xf32>
    %q6 = stablehlo.add %y6, %p6 : tensor<3xf32>
    %v7 = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %b7 = stablehlo.broadcast_in_dim %v7, dims = [] : (tensor<f32>) -> tensor<19xf32>
    %w7 = stablehlo.add %x7, %b7 : tensor<19xf32>
    %p7 = stablehlo.dot_general %a7, %w7, contracting_dims = [0] x [0] : (tensor<19x85xf32>, tensor<19xf32>) -> tensor<85xf32>
    %q7 = stablehlo.add %y7, %p7 : tensor<85xf32>
    %v8 = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %b8 = stablehlo.broadcast_in_dim %v8, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %w8 = stablehlo.add %x8, %b8 : tensor<40xf32>
    %p8 = stablehlo.dot_general %a8, %w8, contracting_dims = [0] x [0] : (tensor<40x13xf32>, tensor<40xf32>) -> tensor<13xf32>
    %q8 = stablehlo.add %y8, %p8 : tensor<13xf32>
    %v9 = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %b9 = stablehlo.broadcast_in_dim %v9, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %w9 = stablehlo.add %x9, %b9 : tensor<9xf32>
    %p9 = stablehlo.dot_general %a9, %w9, contracting_dims = [0] x [0] : (tensor<9x3xf32>, tensor<9xf32>) -> tensor<3xf32>
    %q9 = stablehlo.add %y9, %p9 : tensor<3xf32>
    %v10 = stablehlo.convert %i : (tensor<i32>) -> tensor<f64>
    %b10 = stablehlo.broadcast_in_dim %v10, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %w10 = stablehlo.add %x10, %b10 : tensor<3xf64>
    %p10 = stablehlo.dot_general %a10, %w10, contracting_dims = [1] x [0] : (tensor<7x3xf64>, tensor<3xf64>) -> tensor<7xf64>
    %q10 = stablehlo.add %y10, %p10 : tensor<7xf64>
    %v11 = stablehlo.convert %i : (tensor<i32>) -> tensor<f64>
    %b11 = stablehlo.broadcast_in_dim %v11, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %w11 = stablehlo.add %x11, %b11 : tensor<8xf64>
    %p11 = stablehlo.dot_general %a11, %w11, contracting_dims = [1] x [0] : (tensor<5x8xf64>, tensor<8xf64>) -> tensor<5xf64>
    %q11 = stablehlo.add %y11, %p11 : tensor<5xf64>
    %v12 = stablehlo.convert %i : (tensor<i32>) -> tensor<f64>
    %b12 = stablehlo.broadcast_in_dim %v12, dims = [] : (tensor<f64>) -> tensor<16xf64>
    %w12 = stablehlo.add %x12, %b12 : tensor<16xf64>
    %p12 = stablehlo.dot_general %a12, %w12, contracting_dims = [1] x [0] : (tensor<9x16xf64>, tensor<16xf64>) -> tensor<9xf64>
    %q12 = stablehlo.add %y12, %p12 : tensor<9xf64>
    %v13 = stablehlo.convert %i : (tensor<i32>) -> tensor<f64>
    %b13 = stablehlo.broadcast_in_dim %v13, dims = [] : (tensor<f64>) -> tensor<17xf64>
    %w13 = stablehlo.add %x13, %b13 : tensor<17xf64>
    %p13 = stablehlo.dot_general %a13, %w13, contracting_dims = [1] x [0] : (tensor<6x17xf64>, tensor<17xf64>) -> tensor<6xf64>
    %q13 = stablehlo.add %y13, %p13 : tensor<6xf64>
    %v14 = stablehlo.convert %i : (tensor<i32>) -> tensor<f64>
    %b14 = stablehlo.broadcast_in_dim %v14, dims = [] : (tensor<f64>) -> tensor<31xf64>
    %w14 = stablehlo.add %x14, %b14 : tensor<31xf64>
    %p14 = stablehlo.dot_general %a14, %w14, contracting_dims = [1] x [0] : (tensor<5x31xf64>, tensor<31xf64>) -> tensor<5xf64>
    %q14 = stablehlo.add %y14, %p14 : tensor<5xf64>
    %v15 = stablehlo.convert %i : (tensor<i32>) -> tensor<f64>
    %b15 = stablehlo.broadcast_in_dim %v15, dims = [] : (tensor<f64>) -> tensor<32xf64>
    %w15 = stablehlo.add %x15, %b15 : tensor<32xf64>
    %p15 = stablehlo.dot_general %a15, %w15, contracting_dims = [1] x [0] : (tensor<4x32xf64>, tensor<32xf64>) -> tensor<4xf64>
    %q15 = stablehlo.add %y15, %p15 : tensor<4xf64>
    %v16 = stablehlo.convert %i : (tensor<i32>) -> tensor<f64>
    %b16 = stablehlo.broadcast_in_dim %v16, dims = [] : (tensor<f64>) -> tensor<45xf64>
    %w16 = stablehlo.add %x16, %b16 : tensor<45xf64>
    %p16 = stablehlo.dot_general %a16, %w16, contracting_dims = [1] x [0] : (tensor<3x45xf64>, tensor<45xf64>) -> tensor<3xf64>
    %q16 = stablehlo.add %y16, %p16 : tensor<3xf64>
    %v17 = stablehlo.convert %i : (tensor<i32>) -> tensor<f64>
    %b17 = stablehlo.broadcast_in_dim %v17, dims = [] : (tensor<f64>) -> tensor<19xf64>
    %w17 = stablehlo.add %x17, %b17 : tensor<19xf64>
    %p17 = stablehlo.dot_general %a17, %w17, contracting_dims = [0] x [0] : (tensor<19x85xf64>, tensor<19xf64>) -> tensor<85xf64>
    %q17 = stablehlo.add %y17, %p17 : tensor<85xf64>
    %v18 = stablehlo.convert %i : (tensor<i32>) -> tensor<f64>
    %b18 = stablehlo.broadcast_in_dim %v18, dims = [] : (tensor<f64>) -> tensor<40xf64>
    %w18 = stablehlo.add %x18, %b18 : tensor<40xf64>
    %p18 = stablehlo.dot_general %a18, %w18, contracting_dims = [0] x [0] : (tensor<40x13xf64>, tensor<40xf64>) -> tensor<13xf64>
    %q18 = stablehlo.add %y18, %p18 : tensor<13xf64>
    %v19 = stablehlo.convert %i : (tensor<i32>) -> tensor<f64>
    %b19 = stablehlo.broadcast_in_dim %v19, dims = [] : (tensor<f64>) -> tensor<9xf64>
    %w19 = stablehlo.add %x19, %b19 : tensor<9xf64>
    %p19 = stablehlo.dot_general %a19, %w19, contracting_dims = [0] x [0] : (tensor<9x3xf64>, tensor<9xf64>) -> tensor<3xf64>
    %q19 = stablehlo.add %y19, %p19 : tensor<3xf64>
    stablehlo.return %i1, %q0, %q1, %q2, %q3, %q4, %q5, %q6, %q7, %q8, %q9, %q10, %q11, %q12, %q13, %q14, %q15, %q16, %q17, %q18, %q19 : tensor<i32>, tensor<7xf32>, tensor<5xf32>, tensor<9xf32>, tensor<6xf32>, tensor<5xf32>, tensor<4xf32>, tensor<3xf32>, tensor<85xf32>, tensor<13xf32>, tensor<3xf32>, tensor<7xf64>, tensor<5xf64>, tensor<9xf64>, tensor<6xf64>, tensor<5xf64>, tensor<4xf64>, tensor<3xf64>, tensor<85xf64>, tensor<13xf64>, tensor<3xf64>
  }
  return %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11, %r#12, %r#13, %r#14, %r#15, %r#16, %r#17, %r#18, %r#19, %r#20 : tensor<7xf32>, tensor<5xf32>, tensor<9xf32>, tensor<6xf32>, tensor<5xf32>, tensor<4xf32>, tensor<3xf32>, tensor<85xf32>, tensor<13xf32>, tensor<3xf32>, tensor<7xf64>, tensor<5xf64>, tensor<9xf64>, tensor<6xf64>, tensor<5xf64>, tensor<4xf64>, tensor<3xf64>, tensor<85xf64>, tensor<13xf64>, tensor<3xf64>
}
