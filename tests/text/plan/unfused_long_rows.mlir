// A division of long rows is not fused with the sums of another array's rows
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%x: tensor<4x1048576xf32>, %y: tensor<4x1048576xf32>) -> tensor<4x1048576xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x1048576xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xf32>) -> tensor<4x1048576xf32>
  %2 = stablehlo.divide %y, %1 : tensor<4x1048576xf32>
  return %2 : tensor<4x1048576xf32>
}
