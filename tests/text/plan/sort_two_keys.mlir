// A comparator of several keys in total orders becomes one stable sort per key, the least significant first; with floats in plain order it is executed
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<16xi32>, %b: tensor<16xf32>, %c: tensor<16xui8>) -> (tensor<16xi32>, tensor<16xf32>, tensor<16xui8>, tensor<16xf32>, tensor<16xi32>) {
  %known:3 = "stablehlo.sort"(%a, %b, %c) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %p: tensor<f32>, %q: tensor<f32>, %u: tensor<ui8>, %v: tensor<ui8>):
    %1 = stablehlo.compare LT, %u, %v, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    %2 = stablehlo.compare GT, %p, %q, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare EQ, %p, %q, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.and %1, %3 : tensor<i1>
    %5 = stablehlo.or %4, %2 : tensor<i1>
    %6 = stablehlo.compare LT, %x, %y, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.compare EQ, %x, %y, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %8 = stablehlo.and %7, %5 : tensor<i1>
    %9 = stablehlo.or %6, %8 : tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) : (tensor<16xi32>, tensor<16xf32>, tensor<16xui8>) -> (tensor<16xi32>, tensor<16xf32>, tensor<16xui8>)
  %plain:2 = "stablehlo.sort"(%b, %a) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>, %x: tensor<i32>, %y: tensor<i32>):
    %2 = stablehlo.compare LT, %p, %q, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare EQ, %p, %q, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.compare LT, %x, %y, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %8 = stablehlo.and %3, %6 : tensor<i1>
    %9 = stablehlo.or %2, %8 : tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) : (tensor<16xf32>, tensor<16xi32>) -> (tensor<16xf32>, tensor<16xi32>)
  return %known#0, %known#1, %known#2, %plain#0, %plain#1 : tensor<16xi32>, tensor<16xf32>, tensor<16xui8>, tensor<16xf32>, tensor<16xi32>
}
