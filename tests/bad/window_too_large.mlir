// A window whose extent exceeds the largest loop is refused at its op.
// RUN: shardrun --run=false %s
// EXIT: 4
func.func @main(%a: tensor<48x48x3xf32>, %z: tensor<f32>) -> tensor<16x48x1xf32> {
  %0 = "stablehlo.reduce_window"(%a, %z) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %1 = stablehlo.maximum %x, %y : tensor<f32>
      stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 3, 1, -9223372036854775808>, window_strides = array<i64: 3, 1, 3>} : (tensor<48x48x3xf32>, tensor<f32>) -> tensor<16x48x1xf32>
  return %0 : tensor<16x48x1xf32>
}
