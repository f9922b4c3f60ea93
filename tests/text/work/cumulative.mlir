// Prefixes and suffixes along a dimension remain reduce_window, for the cumulative kernel, which reads each element once. Windows of
// at most 4 elements, and those whose init value is no identity, are loop nests.
// RUN: shardopt %s -shardrun-lower-to-work | grep -oE "work.nest|stablehlo.reduce_window|window_dimensions = array<i64: [0-9, ]*>"
func.func @main(%a: tensor<7x16xf32>, %b: tensor<16x4xi32>, %init: tensor<f32>) -> (tensor<7x16xf32>, tensor<16x4xi32>, tensor<16x4xi32>, tensor<7x16xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %least = stablehlo.constant dense<-2147483648> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%a, %one) <{window_dimensions = array<i64: 1, 16>, padding = dense<[[0, 0], [15, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %4 = stablehlo.multiply %x, %y : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) : (tensor<7x16xf32>, tensor<f32>) -> tensor<7x16xf32>
  %1 = "stablehlo.reduce_window"(%b, %least) <{window_dimensions = array<i64: 16, 1>, padding = dense<[[0, 15], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %4 = stablehlo.maximum %x, %y : tensor<i32>
    stablehlo.return %4 : tensor<i32>
  }) : (tensor<16x4xi32>, tensor<i32>) -> tensor<16x4xi32>
  %2 = "stablehlo.reduce_window"(%b, %least) <{window_dimensions = array<i64: 1, 4>, padding = dense<[[0, 0], [3, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %4 = stablehlo.maximum %x, %y : tensor<i32>
    stablehlo.return %4 : tensor<i32>
  }) : (tensor<16x4xi32>, tensor<i32>) -> tensor<16x4xi32>
  %3 = "stablehlo.reduce_window"(%a, %init) <{window_dimensions = array<i64: 1, 16>, padding = dense<[[0, 0], [15, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %4 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) : (tensor<7x16xf32>, tensor<f32>) -> tensor<7x16xf32>
  return %0, %1, %2, %3 : tensor<7x16xf32>, tensor<16x4xi32>, tensor<16x4xi32>, tensor<7x16xf32>
}
