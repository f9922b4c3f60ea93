// Windows of more than 64 elements that are as far apart as doubling would not pay for are loop nests.
// RUN: shardopt %s -shardrun-lower-to-work | grep -oE "work.nest|stablehlo.reduce_window|loops = array<i64: [0-9, ]*>"
func.func @main(%a: tensor<20x1000xf32>, %b: tensor<64x64xi32>, %f: tensor<f32>, %i: tensor<i32>)
    -> (tensor<20x19xf32>, tensor<4x4xi32>) {
  %0 = "stablehlo.reduce_window"(%a, %f) <{window_dimensions = array<i64: 1, 100>, window_strides = array<i64: 1, 50>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %2 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<20x1000xf32>, tensor<f32>) -> tensor<20x19xf32>
  %1 = "stablehlo.reduce_window"(%b, %i) <{window_dimensions = array<i64: 16, 16>, window_strides = array<i64: 16, 16>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %2 = stablehlo.maximum %x, %y : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<64x64xi32>, tensor<i32>) -> tensor<4x4xi32>
  return %0, %1 : tensor<20x19xf32>, tensor<4x4xi32>
}
