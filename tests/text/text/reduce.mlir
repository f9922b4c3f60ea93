// reduce is printed with `applies` if its body is one commutative op of its arguments in order, otherwise with a reducer.
// RUN: shardopt %s
func.func @f(%x: tensor<4x8xf32>, %y: tensor<4x8xi32>, %c: tensor<f32>, %d: tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<8xi32>) {
  %0 = "stablehlo.reduce"(%x, %c) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.reduce(%x init: %c) across dimensions = [1] {note = 1 : i32} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %s = stablehlo.add %b, %a : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  %2:2 = stablehlo.reduce(%x init: %c), (%y init: %d) across dimensions = [0] : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
   reducer(%a: tensor<f32>, %p: tensor<f32>) (%b: tensor<i32>, %q: tensor<i32>) {
    %s = stablehlo.add %a, %p : tensor<f32>
    %t = stablehlo.add %b, %q : tensor<i32>
    stablehlo.return %s, %t : tensor<f32>, tensor<i32>
  }
  return %0, %1, %2#1 : tensor<4xf32>, tensor<4xf32>, tensor<8xi32>
}
