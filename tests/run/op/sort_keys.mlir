// sort orders by three keys, two of them floats with signed zeros and NaN, and moves a payload along
// RUN: shardrun --interpret %s --input="24xf32=1.0 0.0 inf inf 3.0 nan inf 1.0 nan -inf 3.0 2.0 nan nan nan -0.0 2.0 3.0 3.0 nan -0.0 1.0 nan nan" --input="24xi32=1 1 2 4 3 -2 4 -5 -3 -2 -1 4 4 2 -3 1 -1 -5 -5 2 -2 0 1 -3" --input="24xf32=3.0 0.0 0.0 -0.0 nan -0.0 inf nan 1.0 3.0 nan 1.0 inf 0.0 1.0 1.0 1.0 3.0 -0.0 -0.0 2.0 3.0 nan 0.0" --input="24xi32=0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23" --expected-output="24xf32=-inf -0.0 0.0 -0.0 1.0 1.0 1.0 2.0 2.0 3.0 3.0 3.0 3.0 inf inf inf nan nan nan nan nan nan nan nan" --expected-output="24xi32=-2 -2 1 1 -5 0 1 -1 4 -5 -5 -1 3 2 4 4 -3 -3 -3 -2 1 2 2 4" --expected-output="24xf32=3.0 2.0 0.0 1.0 nan 3.0 3.0 1.0 1.0 -0.0 3.0 nan nan 0.0 -0.0 inf 0.0 1.0 1.0 -0.0 nan 0.0 -0.0 inf" --expected-output="24xi32=9 20 1 15 7 21 0 16 11 18 17 10 4 2 3 6 23 8 14 5 22 13 19 12" >/dev/null
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<24xi32>, %c: tensor<24xf32>, %i: tensor<24xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<24xf32>, tensor<24xi32>, tensor<24xf32>, tensor<24xi32>) {
  %r:4 = "stablehlo.sort"(%a, %b, %c, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a0: tensor<f32>, %a1: tensor<f32>, %b0: tensor<i32>, %b1: tensor<i32>, %c0: tensor<f32>, %c1: tensor<f32>, %i0: tensor<i32>, %i1: tensor<i32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %a0.is0 = stablehlo.compare EQ, %a0, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %a0.z = stablehlo.select %a0.is0, %zero, %a0 : tensor<i1>, tensor<f32>
    %a0.isn = stablehlo.compare NE, %a0, %a0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %a0.k = stablehlo.select %a0.isn, %nan, %a0.z : tensor<i1>, tensor<f32>
    %a1.is0 = stablehlo.compare EQ, %a1, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %a1.z = stablehlo.select %a1.is0, %zero, %a1 : tensor<i1>, tensor<f32>
    %a1.isn = stablehlo.compare NE, %a1, %a1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %a1.k = stablehlo.select %a1.isn, %nan, %a1.z : tensor<i1>, tensor<f32>
    %c0.is0 = stablehlo.compare EQ, %c0, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %c0.z = stablehlo.select %c0.is0, %zero, %c0 : tensor<i1>, tensor<f32>
    %c0.isn = stablehlo.compare NE, %c0, %c0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %c0.k = stablehlo.select %c0.isn, %nan, %c0.z : tensor<i1>, tensor<f32>
    %c1.is0 = stablehlo.compare EQ, %c1, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %c1.z = stablehlo.select %c1.is0, %zero, %c1 : tensor<i1>, tensor<f32>
    %c1.isn = stablehlo.compare NE, %c1, %c1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %c1.k = stablehlo.select %c1.isn, %nan, %c1.z : tensor<i1>, tensor<f32>
    %1 = stablehlo.compare LT, %c0.k, %c1.k, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.compare LT, %b0, %b1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.compare EQ, %b0, %b1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.and %3, %1 : tensor<i1>
    %5 = stablehlo.or %2, %4 : tensor<i1>
    %6 = stablehlo.compare LT, %a0.k, %a1.k, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %7 = stablehlo.compare EQ, %a0.k, %a1.k, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.and %7, %5 : tensor<i1>
    %9 = stablehlo.or %6, %8 : tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) : (tensor<24xf32>, tensor<24xi32>, tensor<24xf32>, tensor<24xi32>) -> (tensor<24xf32>, tensor<24xi32>, tensor<24xf32>, tensor<24xi32>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<24xf32>, tensor<24xi32>, tensor<24xf32>, tensor<24xi32>
}
