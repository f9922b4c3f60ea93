// The index of the largest or smallest value, the smallest of equal ones, of NaN the first, with an initial pair that counts; and
// products with one-hot rows, some of them zero, where other rows of the table are infinite or NaN
// RUN: shardrun --quiet %s --input="7x8xf32=1 3 2 3 -5 0 1 3 2 nan 7 nan 9 1 0 4 -inf -inf -inf -inf -inf -inf -inf -inf 0 -0.0 0 -1 -2 -3 -4 -5 5 6 7 8 9 10 11 inf -1 -inf nan 0 0 0 0 1 inf inf inf inf inf inf inf inf" --input="3x3xi32=2 3 5 7 0 -1 16 9 15" --input="16x5xf32=5 -8 -6 -5 -6 5 6 1 -9 -8 -0.0 -2 2 -1 -5 -7 inf 4 -9 -7 -1 -2 6 0 -2 -2 2 nan -6 4 4 8 5 -4 -4 2 2 3 inf -4 7 -9 -8 8 7 -4 -7 -4 -inf 7 2 1 -5 -1 -6 4 -1 -9 -5 3 0 -3 -5 -8 1 2 0 7 7 -6 1 2 -5 -4 -1 4 -4 3 2 -6" --expected-output="7xi64=1 1 0 0 7 2 0" --expected-output="7xi64=4 1 0 7 0 2 0" --expected-output="7xi32=-1 1 -1 -1 7 2 0" --expected-output="3x3x5xf64=0 nan nan nan -5 -7 inf nan nan -7 -2 nan nan nan 4 2 nan nan nan -4 5 nan nan nan -6 0 nan nan nan 0 0 nan nan nan 0 -4 nan nan nan 7 4 nan nan nan -6" >/dev/null
func.func @main(%x: tensor<7x8xf32>, %ix: tensor<3x3xi32>, %t: tensor<16x5xf32>) -> (tensor<7xi64>, tensor<7xi64>, tensor<7xi32>, tensor<3x3x5xf64>) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %high = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %three = stablehlo.constant dense<3.0> : tensor<f32>
  %first = stablehlo.constant dense<0> : tensor<i64>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %i = stablehlo.iota dim = 1 : tensor<7x8xi64>
  %j = stablehlo.iota dim = 1 : tensor<7x8xi32>
  %max:2 = stablehlo.reduce(%x init: %low), (%i init: %first) across dimensions = [1] : (tensor<7x8xf32>, tensor<7x8xi64>, tensor<f32>, tensor<i64>) -> (tensor<7xf32>, tensor<7xi64>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%ia: tensor<i64>, %ib: tensor<i64>)  {
    %0 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %1 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.or %0, %1 : tensor<i1>
    %3 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.compare LT, %ia, %ib, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %5 = stablehlo.and %3, %4 : tensor<i1>
    %6 = stablehlo.or %2, %5 : tensor<i1>
    %7 = stablehlo.select %2, %a, %b : tensor<i1>, tensor<f32>
    %8 = stablehlo.select %6, %ia, %ib : tensor<i1>, tensor<i64>
    stablehlo.return %7, %8 : tensor<f32>, tensor<i64>
  }
  %min:2 = stablehlo.reduce(%x init: %high), (%i init: %first) across dimensions = [1] : (tensor<7x8xf32>, tensor<7x8xi64>, tensor<f32>, tensor<i64>) -> (tensor<7xf32>, tensor<7xi64>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%ia: tensor<i64>, %ib: tensor<i64>)  {
    %0 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %1 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.or %0, %1 : tensor<i1>
    %3 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.compare LT, %ia, %ib, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %5 = stablehlo.and %3, %4 : tensor<i1>
    %6 = stablehlo.or %2, %5 : tensor<i1>
    %7 = stablehlo.select %2, %a, %b : tensor<i1>, tensor<f32>
    %8 = stablehlo.select %6, %ia, %ib : tensor<i1>, tensor<i64>
    stablehlo.return %7, %8 : tensor<f32>, tensor<i64>
  }
  %above:2 = stablehlo.reduce(%x init: %three), (%j init: %none) across dimensions = [1] : (tensor<7x8xf32>, tensor<7x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<7xf32>, tensor<7xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%ia: tensor<i32>, %ib: tensor<i32>)  {
    %0 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %1 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.or %0, %1 : tensor<i1>
    %3 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.compare LT, %ia, %ib, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.and %3, %4 : tensor<i1>
    %6 = stablehlo.or %2, %5 : tensor<i1>
    %7 = stablehlo.select %2, %a, %b : tensor<i1>, tensor<f32>
    %8 = stablehlo.select %6, %ia, %ib : tensor<i1>, tensor<i32>
    stablehlo.return %7, %8 : tensor<f32>, tensor<i32>
  }
  %k = stablehlo.iota dim = 0 : tensor<16xi32>
  %rows = stablehlo.broadcast_in_dim %ix, dims = [0, 1] : (tensor<3x3xi32>) -> tensor<3x3x16xi32>
  %columns = stablehlo.broadcast_in_dim %k, dims = [2] : (tensor<16xi32>) -> tensor<3x3x16xi32>
  %p = stablehlo.compare EQ, %rows, %columns, SIGNED : (tensor<3x3x16xi32>, tensor<3x3x16xi32>) -> tensor<3x3x16xi1>
  %hot = stablehlo.convert %p : (tensor<3x3x16xi1>) -> tensor<3x3x16xf32>
  %r = stablehlo.dot_general %hot, %t, contracting_dims = [2] x [0] : (tensor<3x3x16xf32>, tensor<16x5xf32>) -> tensor<3x3x5xf64>
  return %max#1, %min#1, %above#1, %r : tensor<7xi64>, tensor<7xi64>, tensor<7xi32>, tensor<3x3x5xf64>
}
