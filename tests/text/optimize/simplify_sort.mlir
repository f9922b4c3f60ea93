// Operands that are neither compared nor used are removed from a sort; its dimension is counted from the front.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%x: tensor<2x8xf32>, %y: tensor<2x8xi32>) -> tensor<2x8xf32> {
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = -1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2x8xf32>, tensor<2x8xi32>) -> (tensor<2x8xf32>, tensor<2x8xi32>)
  return %0#0 : tensor<2x8xf32>
}
