// The index of the largest and of the smallest element of each column: of equal elements the first one, and the first NaN
// RUN: for c in off on; do shardrun --quiet --codegen=$c %s --input="4x5xf32=1 nan 3 -0 2 1 5 nan 0 2 0 nan nan 0 7 1 9 4 -1 7" --expected-output="5xi32=0 0 1 0 2" --expected-output="5xi64=2 0 1 3 0" --expected-output="5xi64=1 2 0 3 2" >/dev/null || exit 1; done
func.func @main(%x: tensor<4x5xf32>) -> (tensor<5xi32>, tensor<5xi64>, tensor<5xi64>) {
  %i = stablehlo.iota dim = 0 : tensor<4x5xi32>
  %j = stablehlo.iota dim = 0 : tensor<4x5xi64>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %high = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %least = stablehlo.constant dense<-128> : tensor<i32>
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<0> : tensor<i64>
  %y = stablehlo.convert %x : (tensor<4x5xf32>) -> tensor<4x5xf64>
  %k = stablehlo.constant dense<[[1, 2, 7, 3, 4], [5, 2, 1, 3, 1], [5, 8, 7, 3, 6], [0, 8, 7, 9, 6]]> : tensor<4x5xi32>
  %0:2 = stablehlo.reduce(%x init: %low), (%i init: %c0) across dimensions = [0] : (tensor<4x5xf32>, tensor<4x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<5xf32>, tensor<5xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {
    %1 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.or %1, %2 : tensor<i1>
    %4 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %5 = stablehlo.compare LT, %p, %q, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = stablehlo.and %4, %5 : tensor<i1>
    %7 = stablehlo.or %3, %6 : tensor<i1>
    %8 = stablehlo.select %3, %a, %b : tensor<i1>, tensor<f32>
    %9 = stablehlo.select %7, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %8, %9 : tensor<f32>, tensor<i32>
  }
  %r:2 = stablehlo.reduce(%y init: %high), (%j init: %c1) across dimensions = [0] : (tensor<4x5xf64>, tensor<4x5xi64>, tensor<f64>, tensor<i64>) -> (tensor<5xf64>, tensor<5xi64>)
   reducer(%a: tensor<f64>, %b: tensor<f64>) (%p: tensor<i64>, %q: tensor<i64>) {
    %1 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %2 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %3 = stablehlo.or %1, %2 : tensor<i1>
    %4 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %5 = stablehlo.compare LT, %p, %q, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %6 = stablehlo.and %4, %5 : tensor<i1>
    %7 = stablehlo.or %3, %6 : tensor<i1>
    %8 = stablehlo.select %3, %a, %b : tensor<i1>, tensor<f64>
    %9 = stablehlo.select %7, %p, %q : tensor<i1>, tensor<i64>
    stablehlo.return %8, %9 : tensor<f64>, tensor<i64>
  }
  %s:2 = stablehlo.reduce(%k init: %least), (%j init: %c1) across dimensions = [0] : (tensor<4x5xi32>, tensor<4x5xi64>, tensor<i32>, tensor<i64>) -> (tensor<5xi32>, tensor<5xi64>)
   reducer(%a: tensor<i32>, %b: tensor<i32>) (%p: tensor<i64>, %q: tensor<i64>) {
    %1 = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.compare EQ, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.compare LT, %p, %q, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %4 = stablehlo.and %2, %3 : tensor<i1>
    %5 = stablehlo.or %1, %4 : tensor<i1>
    %6 = stablehlo.select %1, %a, %b : tensor<i1>, tensor<i32>
    %7 = stablehlo.select %5, %p, %q : tensor<i1>, tensor<i64>
    stablehlo.return %6, %7 : tensor<i32>, tensor<i64>
  }
  return %0#1, %r#1, %s#1 : tensor<5xi32>, tensor<5xi64>, tensor<5xi64>
}
