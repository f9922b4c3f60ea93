// Sorts of which only a slice is read give that slice: the first elements, some after them, strided
// RUN: shardrun --quiet --input='8xf32=5 -1 3 nan 0 -0.0 7 2' --output=- --output=- --output=- --output=- %s
func.func @main(%a: tensor<8xf32>) -> (tensor<2xf32>, tensor<2xi32>, tensor<2xf32>, tensor<3xi32>) {
  %i = stablehlo.iota dim = 0 : tensor<8xi32>
  %up:2 = "stablehlo.sort"(%a, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
    %1 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  %first = stablehlo.slice %up#0 [0:2] : (tensor<8xf32>) -> tensor<2xf32>
  %first_at = stablehlo.slice %up#1 [0:2] : (tensor<8xi32>) -> tensor<2xi32>
  %down:2 = "stablehlo.sort"(%a, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
    %1 = stablehlo.compare GT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  %later = stablehlo.slice %down#0 [2:4] : (tensor<8xf32>) -> tensor<2xf32>
  %steps = stablehlo.slice %down#1 [1:6:2] : (tensor<8xi32>) -> tensor<3xi32>
  return %first, %first_at, %later, %steps : tensor<2xf32>, tensor<2xi32>, tensor<2xf32>, tensor<3xi32>
}
