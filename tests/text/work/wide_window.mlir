// A reduce_window with a large window becomes as many elementwise ops as the window's size has binary digits.
// RUN: shardopt %s -shardrun-lower-to-work
func.func @main(%a: tensor<100xf32>, %init: tensor<f32>) -> tensor<4xf32> {
  %0 = "stablehlo.reduce_window"(%a, %init) <{window_dimensions = array<i64: 97>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.negate %y : tensor<f32>
    %2 = stablehlo.subtract %x, %1 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<100xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
