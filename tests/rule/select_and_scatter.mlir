// Operand and source of a select_and_scatter have factors of their own along windowed dimensions
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%a: tensor<10x24x24x64xf32>, %s: tensor<10x12x12x64xf32>, %z: tensor<f32>) -> tensor<10x24x24x64xf32> {
  %0 = "stablehlo.select_and_scatter"(%a, %s, %z) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %1 = stablehlo.compare GT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
  }, {
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %1 = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>} : (tensor<10x24x24x64xf32>, tensor<10x12x12x64xf32>, tensor<f32>) -> tensor<10x24x24x64xf32>
  return %0 : tensor<10x24x24x64xf32>
}
