// The index of the largest value is the smallest index of an element that equals the largest one; a product with one-hot rows is a
// gather, of products of the rows of the table if there are as many.
// RUN: shardopt %s -shardrun-simplify -dce
func.func @main(%x: tensor<7x8xf32>, %ix: tensor<3x3xi32>, %t: tensor<16x5xf32>, %iy: tensor<20xi32>) -> (tensor<7xi64>, tensor<7xi64>, tensor<7xi32>, tensor<3x3x5xf64>, tensor<20x5xf32>) {
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
  %many_rows = stablehlo.broadcast_in_dim %iy, dims = [0] : (tensor<20xi32>) -> tensor<20x16xi32>
  %many_columns = stablehlo.broadcast_in_dim %k, dims = [1] : (tensor<16xi32>) -> tensor<20x16xi32>
  %q = stablehlo.compare EQ, %many_rows, %many_columns, SIGNED : (tensor<20x16xi32>, tensor<20x16xi32>) -> tensor<20x16xi1>
  %many_hot = stablehlo.convert %q : (tensor<20x16xi1>) -> tensor<20x16xf32>
  %s = stablehlo.dot_general %many_hot, %t, contracting_dims = [1] x [0] : (tensor<20x16xf32>, tensor<16x5xf32>) -> tensor<20x5xf32>
  return %max#1, %min#1, %above#1, %r, %s : tensor<7xi64>, tensor<7xi64>, tensor<7xi32>, tensor<3x3x5xf64>, tensor<20x5xf32>
}
