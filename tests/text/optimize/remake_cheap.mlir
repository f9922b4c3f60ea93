// A broadcast is made again for uses that are far apart, and once for those that are near
// RUN: shardopt %s -shardrun-remake-cheap-ops="min-bytes=64 distance=2"
func.func @far(%arg0: tensor<f32>, %arg1: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
  %1 = stablehlo.negate %arg1 : tensor<4x8xf32>
  %2 = stablehlo.add %1, %0 : tensor<4x8xf32>
  %3 = stablehlo.multiply %2, %0 : tensor<4x8xf32>
  %4 = stablehlo.sine %3 : tensor<4x8xf32>
  %5 = stablehlo.cosine %4 : tensor<4x8xf32>
  %6 = stablehlo.tanh %5 : tensor<4x8xf32>
  %7 = stablehlo.subtract %6, %0 : tensor<4x8xf32>
  return %3, %7 : tensor<4x8xf32>, tensor<4x8xf32>
}

// What is small, and what reads as much as it makes, stays where it is
func.func @stays(%arg0: tensor<f32>, %arg1: tensor<1x32xf32>, %arg2: tensor<3xf32>) -> (tensor<3xf32>, tensor<2x32xf32>) {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<2x32xf32>
  %2 = stablehlo.negate %arg2 : tensor<3xf32>
  %3 = stablehlo.add %2, %0 : tensor<3xf32>
  %4 = stablehlo.negate %1 : tensor<2x32xf32>
  return %3, %4 : tensor<3xf32>, tensor<2x32xf32>
}

// A use in a loop counts where the loop stands
func.func @nested(%arg0: tensor<f32>, %arg1: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %1 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
  %2 = stablehlo.add %arg1, %1 : tensor<4x8xf32>
  %3 = stablehlo.sine %2 : tensor<4x8xf32>
  %4 = stablehlo.cosine %3 : tensor<4x8xf32>
  %5 = stablehlo.tanh %4 : tensor<4x8xf32>
  %c = stablehlo.constant dense<3> : tensor<i32>
  %6:2 = stablehlo.while(%a = %5, %i = %c) : tensor<4x8xf32>, tensor<i32>
  cond {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare GT, %i, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %9 = stablehlo.subtract %i, %one : tensor<i32>
    %10 = stablehlo.add %a, %1 : tensor<4x8xf32>
    stablehlo.return %10, %9 : tensor<4x8xf32>, tensor<i32>
  }
  return %6#0, %3 : tensor<4x8xf32>, tensor<4x8xf32>
}
