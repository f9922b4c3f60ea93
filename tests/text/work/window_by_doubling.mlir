// Windows of 10 elements or more are computed by doubling, one dimension after another, also with small strides, but not with steps of 4.
// RUN: shardopt %s -shardrun-lower-to-work | grep -oE "work.nest|reduce_window|stablehlo.maximum|loops = array<i64: [0-9, ]*>" | sort | uniq -c | sed "s/^ *//"
func.func @main(%a: tensor<8x40x40xf32>, %f: tensor<f32>) -> (tensor<8x36x36xf32>, tensor<8x18x18xf32>, tensor<8x9x9xf32>) {
  %0 = "stablehlo.reduce_window"(%a, %f) <{window_dimensions = array<i64: 1, 5, 5>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<8x40x40xf32>, tensor<f32>) -> tensor<8x36x36xf32>
  %1 = "stablehlo.reduce_window"(%a, %f) <{window_dimensions = array<i64: 1, 5, 5>, window_strides = array<i64: 1, 2, 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<8x40x40xf32>, tensor<f32>) -> tensor<8x18x18xf32>
  %2 = "stablehlo.reduce_window"(%a, %f) <{window_dimensions = array<i64: 1, 5, 5>, window_strides = array<i64: 1, 4, 4>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<8x40x40xf32>, tensor<f32>) -> tensor<8x9x9xf32>
  return %0, %1, %2 : tensor<8x36x36xf32>, tensor<8x18x18xf32>, tensor<8x9x9xf32>
}
