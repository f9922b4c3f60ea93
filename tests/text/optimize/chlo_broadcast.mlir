// CHLO ops with implicit broadcasting broadcast their operands first; the CHLO ops that result are rewritten in turn.
// RUN: shardopt %s -chlo-legalize-to-stablehlo
func.func @main(%arg0: tensor<1x4xf32>, %arg1: tensor<4x1xf32>, %arg2: tensor<f32>) -> (tensor<4x4xf32>, tensor<4x4xi1>) {
  %0 = chlo.broadcast_add %arg0, %arg1 : (tensor<1x4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
  %1 = chlo.broadcast_compare %0, %arg2 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xi1>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xi1>
}
