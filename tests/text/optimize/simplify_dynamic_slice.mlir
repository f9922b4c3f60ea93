// A dynamic_slice with constant start becomes a slice, with the start clamped.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%x: tensor<8x4xf32>) -> tensor<3x4xf32> {
  %far = stablehlo.constant dense<7> : tensor<i32>
  %before = stablehlo.constant dense<-1> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %far, %before, sizes = [3, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
