// An unused collective is removed; a reducer's body keeps all its ops
// RUN: shardopt %s -dce
func.func @main(%arg0: tensor<4xf32>) -> tensor<f32> {
  %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%arg0 init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %2 = stablehlo.add %a, %b : tensor<f32>
    %3 = stablehlo.add %2, %z : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }
  return %1 : tensor<f32>
}
