// Products read slices in place, at dynamic starts (clamped, in bytes) or static ones: contiguous rows, and columns of large slices; also through reshapes.
// Slices with other readers, or without contiguous elements, are copied
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%i: tensor<i32>, %w: tensor<4x16x48xf32>, %x: tensor<8x16xf32>) -> (tensor<8x24xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<1x16x48xf32>, tensor<8x24xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %run = stablehlo.dynamic_slice %w, %i, %zero, %i, sizes = [1, 16, 24] : (tensor<4x16x48xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x24xf32>
  %a = stablehlo.reshape %run : (tensor<1x16x24xf32>) -> tensor<16x24xf32>
  %0 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x24xf32>) -> tensor<8x24xf32>
  %known = stablehlo.slice %w [2:3, 0:16, 8:24] : (tensor<4x16x48xf32>) -> tensor<1x16x16xf32>
  %b = stablehlo.reshape %known : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
  %1 = stablehlo.dot_general %x, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %2 = stablehlo.dot_general %x, %b, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %made = stablehlo.dynamic_slice %w, %i, %zero, %zero, sizes = [1, 16, 48] : (tensor<4x16x48xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x48xf32>
  %apart = stablehlo.slice %w [1:2, 0:16, 0:48:2] : (tensor<4x16x48xf32>) -> tensor<1x16x24xf32>
  %d = stablehlo.reshape %apart : (tensor<1x16x24xf32>) -> tensor<16x24xf32>
  %3 = stablehlo.dot_general %x, %d, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x24xf32>) -> tensor<8x24xf32>
  return %0, %1, %2, %made, %3 : tensor<8x24xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<1x16x48xf32>, tensor<8x24xf32>
}
