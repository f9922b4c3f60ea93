// The index of the largest value of a column, or of a short row of floats, is found without comparisons of indices, in 32 bits.
// With a used value, equal values keep the later one, as a zero of the other sign. Indices that do not ascend stay.
// RUN: shardopt %s -shardrun-simplify -dce
func.func @columns(%x: tensor<32x40xf32>) -> tensor<40xi64> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %first = stablehlo.constant dense<0> : tensor<i64>
  %i = stablehlo.iota dim = 0 : tensor<32x40xi64>
  %0:2 = stablehlo.reduce(%x init: %low), (%i init: %first) across dimensions = [0] : (tensor<32x40xf32>, tensor<32x40xi64>, tensor<f32>, tensor<i64>) -> (tensor<40xf32>, tensor<40xi64>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%ia: tensor<i64>, %ib: tensor<i64>) {
    %1 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.or %1, %2 : tensor<i1>
    %4 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %5 = stablehlo.compare LT, %ia, %ib, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %6 = stablehlo.and %4, %5 : tensor<i1>
    %7 = stablehlo.or %3, %6 : tensor<i1>
    %8 = stablehlo.select %3, %a, %b : tensor<i1>, tensor<f32>
    %9 = stablehlo.select %7, %ia, %ib : tensor<i1>, tensor<i64>
    stablehlo.return %8, %9 : tensor<f32>, tensor<i64>
  }
  return %0#1 : tensor<40xi64>
}
func.func @short_rows(%x: tensor<100x16xf32>) -> (tensor<100xf32>, tensor<100xi32>) {
  %high = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %i = stablehlo.iota dim = 1 : tensor<100x16xi32>
  %0:2 = stablehlo.reduce(%x init: %high), (%i init: %first) across dimensions = [1] : (tensor<100x16xf32>, tensor<100x16xi32>, tensor<f32>, tensor<i32>) -> (tensor<100xf32>, tensor<100xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%ia: tensor<i32>, %ib: tensor<i32>) {
    %1 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.or %1, %2 : tensor<i1>
    %4 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %5 = stablehlo.compare LT, %ia, %ib, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = stablehlo.and %4, %5 : tensor<i1>
    %7 = stablehlo.or %3, %6 : tensor<i1>
    %8 = stablehlo.select %3, %a, %b : tensor<i1>, tensor<f32>
    %9 = stablehlo.select %7, %ia, %ib : tensor<i1>, tensor<i32>
    stablehlo.return %8, %9 : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<100xf32>, tensor<100xi32>
}
func.func @given_indices(%x: tensor<32x40xi32>, %i: tensor<32x40xi32>) -> tensor<40xi32> {
  %low = stablehlo.constant dense<-2147483648> : tensor<i32>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %low), (%i init: %first) across dimensions = [0] : (tensor<32x40xi32>, tensor<32x40xi32>, tensor<i32>, tensor<i32>) -> (tensor<40xi32>, tensor<40xi32>)
   reducer(%a: tensor<i32>, %b: tensor<i32>) (%ia: tensor<i32>, %ib: tensor<i32>) {
    %1 = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.compare EQ, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.compare LT, %ia, %ib, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = stablehlo.and %4, %5 : tensor<i1>
    %7 = stablehlo.or %1, %6 : tensor<i1>
    %8 = stablehlo.select %1, %a, %b : tensor<i1>, tensor<i32>
    %9 = stablehlo.select %7, %ia, %ib : tensor<i1>, tensor<i32>
    stablehlo.return %8, %9 : tensor<i32>, tensor<i32>
  }
  return %0#1 : tensor<40xi32>
}
