// Equal pure ops are merged if the first one dominates the second; different attributes, side effects or operand order prevent this.
// RUN: shardopt %s -cse
func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<i1>) -> tensor<4xf32> {
  %0 = stablehlo.add %arg0, %arg1 : tensor<4xf32>
  %1 = stablehlo.add %arg0, %arg1 : tensor<4xf32>
  %2 = stablehlo.add %arg1, %arg0 : tensor<4xf32>
  %3 = "stablehlo.if"(%arg2) ({
    %a = stablehlo.add %arg0, %arg1 : tensor<4xf32>
    %b = stablehlo.multiply %a, %a : tensor<4xf32>
    stablehlo.return %b : tensor<4xf32>
  }, {
    %b = stablehlo.multiply %1, %1 : tensor<4xf32>
    stablehlo.return %b : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  %4 = stablehlo.custom_call @f(%0) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  %5 = stablehlo.custom_call @f(%1) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  %6 = stablehlo.add %4, %5 : tensor<4xf32>
  %7 = stablehlo.add %2, %3 : tensor<4xf32>
  %8 = stablehlo.add %6, %7 : tensor<4xf32>
  return %8 : tensor<4xf32>
}
