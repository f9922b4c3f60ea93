// An update of a tensor with a slice of it, as dynamic_update_slice or as a scatter of one window, is one copy within its memory. The slice
// has a buffer if the update overlaps it, or if its position is not constant; the tensor is copied if it is read afterwards.
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<16x32xf32>, %b: tensor<16x32xf32>, %at: tensor<i32>) -> (tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %index = stablehlo.constant dense<15> : tensor<1xi32>
  %0 = stablehlo.sine %a : tensor<16x32xf32>
  %1 = stablehlo.slice %0 [0:16, 1:2] : (tensor<16x32xf32>) -> tensor<16x1xf32>
  %2 = stablehlo.dynamic_update_slice %0, %1, %c0, %c0 : (tensor<16x32xf32>, tensor<16x1xf32>, tensor<i32>, tensor<i32>) -> tensor<16x32xf32>
  %3 = stablehlo.slice %2 [14:15, 0:32] : (tensor<16x32xf32>) -> tensor<1x32xf32>
  %4 = stablehlo.reshape %3 : (tensor<1x32xf32>) -> tensor<32xf32>
  %5 = "stablehlo.scatter"(%2, %index, %4) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<16x32xf32>, tensor<1xi32>, tensor<32xf32>) -> tensor<16x32xf32>
  %6 = stablehlo.cosine %b : tensor<16x32xf32>
  %7 = stablehlo.slice %6 [0:2, 0:32] : (tensor<16x32xf32>) -> tensor<2x32xf32>
  %8 = stablehlo.dynamic_update_slice %6, %7, %c1, %c0 : (tensor<16x32xf32>, tensor<2x32xf32>, tensor<i32>, tensor<i32>) -> tensor<16x32xf32>
  %9 = stablehlo.slice %8 [0:1, 0:32] : (tensor<16x32xf32>) -> tensor<1x32xf32>
  %10 = stablehlo.dynamic_update_slice %8, %9, %at, %c0 : (tensor<16x32xf32>, tensor<1x32xf32>, tensor<i32>, tensor<i32>) -> tensor<16x32xf32>
  %11 = stablehlo.slice %5 [0:1, 0:32] : (tensor<16x32xf32>) -> tensor<1x32xf32>
  %12 = stablehlo.dynamic_update_slice %5, %11, %c1, %c0 : (tensor<16x32xf32>, tensor<1x32xf32>, tensor<i32>, tensor<i32>) -> tensor<16x32xf32>
  return %5, %10, %12 : tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>
}
