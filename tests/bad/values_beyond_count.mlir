// Values whose sum of bytes exceeds 64 bits are refused with the function's name.
// RUN: shardrun %s --run=false
// EXIT: 5
func.func @main(%arg0: tensor<461168601842738790xf32>, %arg1: tensor<461168601842738790xf32>, %arg2: tensor<461168601842738790xf32>,
                %arg3: tensor<461168601842738790xf32>, %arg4: tensor<461168601842738790xf32>) -> tensor<f32> {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
