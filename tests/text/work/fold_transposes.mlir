// A product reads a large transposed operand in place, and a transpose without other readers is removed; one that is also a result stays.
// Operands that are small, would not be contiguous, or would have another order of dimensions are transposed.
// A product with a transposed result computes the transposed result with exchanged operands, unless the product has other readers, the
// left operand would not have contiguous rows or has few rows, or the transpose also moves other dimensions. A large matrix times few
// columns is computed as few rows times the matrix, if the result is small and the operands' layouts make that faster.
// RUN: shardopt %s -shardrun-lower-to-work
func.func @both_sides(%arg0: tensor<512x128xf32>, %arg1: tensor<512x256xf32>) -> tensor<128x512xf32> {
  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<512x128xf32>) -> tensor<128x512xf32>
  %1 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<512x256xf32>) -> tensor<256x512xf32>
  %2 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [0] : (tensor<128x512xf32>, tensor<512x256xf32>) -> tensor<128x256xf32>
  %3 = stablehlo.dot_general %2, %1, contracting_dims = [1] x [0] : (tensor<128x256xf32>, tensor<256x512xf32>) -> tensor<128x512xf32>
  return %3 : tensor<128x512xf32>
}

func.func @returned(%arg0: tensor<8x256xf32>, %arg1: tensor<512x256xf32>) -> (tensor<8x512xf32>, tensor<256x512xf32>) {
  %0 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<512x256xf32>) -> tensor<256x512xf32>
  %1 = stablehlo.dot_general %arg0, %0, contracting_dims = [1] x [0] : (tensor<8x256xf32>, tensor<256x512xf32>) -> tensor<8x512xf32>
  return %1, %0 : tensor<8x512xf32>, tensor<256x512xf32>
}

func.func @heads(%arg0: tensor<64x8x4x64xf32>, %arg1: tensor<8x4x64x64xf32>) -> tensor<8x4x64x64xf32> {
  %0 = stablehlo.transpose %arg0, dims = [1, 2, 0, 3] : (tensor<64x8x4x64xf32>) -> tensor<8x4x64x64xf32>
  %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<8x4x64x64xf32>, tensor<8x4x64x64xf32>) -> tensor<8x4x64x64xf32>
  return %1 : tensor<8x4x64x64xf32>
}

func.func @small(%arg0: tensor<8x64xf32>, %arg1: tensor<32x64xf32>) -> tensor<8x32xf32> {
  %0 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<32x64xf32>) -> tensor<64x32xf32>
  %1 = stablehlo.dot_general %arg0, %0, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x32xf32>) -> tensor<8x32xf32>
  return %1 : tensor<8x32xf32>
}

func.func @in_pieces(%arg0: tensor<64x16x64xf32>, %arg1: tensor<64x64x8xf32>) -> tensor<16x8xf32> {
  %0 = stablehlo.transpose %arg0, dims = [1, 0, 2] : (tensor<64x16x64xf32>) -> tensor<16x64x64xf32>
  %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1, 2] x [0, 1] : (tensor<16x64x64xf32>, tensor<64x64x8xf32>) -> tensor<16x8xf32>
  return %1 : tensor<16x8xf32>
}

func.func @other_order(%arg0: tensor<32x64x64xf32>, %arg1: tensor<64x8xf32>) -> tensor<64x32x8xf32> {
  %0 = stablehlo.transpose %arg0, dims = [1, 0, 2] : (tensor<32x64x64xf32>) -> tensor<64x32x64xf32>
  %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [2] x [0] : (tensor<64x32x64xf32>, tensor<64x8xf32>) -> tensor<64x32x8xf32>
  return %1 : tensor<64x32x8xf32>
}

func.func @result(%arg0: tensor<8x64x512xf32>, %arg1: tensor<8x64x256xf32>) -> tensor<256x512xf32> {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0, 1] x [0, 1] : (tensor<8x64x512xf32>, tensor<8x64x256xf32>) -> tensor<512x256xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<512x256xf32>) -> tensor<256x512xf32>
  return %1 : tensor<256x512xf32>
}

func.func @results_of_a_batch(%arg0: tensor<2x3x8x5xf32>, %arg1: tensor<2x8x7x4xf32>) -> tensor<2x7x4x3x5xf32> {
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x8x5xf32>, tensor<2x8x7x4xf32>) -> tensor<2x3x5x7x4xf32>
  %1 = stablehlo.transpose %0, dims = [0, 3, 4, 1, 2] : (tensor<2x3x5x7x4xf32>) -> tensor<2x7x4x3x5xf32>
  return %1 : tensor<2x7x4x3x5xf32>
}

func.func @result_and_used(%arg0: tensor<64x16xf32>, %arg1: tensor<64x8xf32>) -> (tensor<16x8xf32>, tensor<8x16xf32>) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0] : (tensor<64x16xf32>, tensor<64x8xf32>) -> tensor<16x8xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
  return %0, %1 : tensor<16x8xf32>, tensor<8x16xf32>
}

func.func @result_of_columns(%arg0: tensor<16x64xf32>, %arg1: tensor<64x8xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x8xf32>) -> tensor<16x8xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

func.func @result_in_pieces(%arg0: tensor<64x16x3xf32>, %arg1: tensor<64x8xf32>) -> tensor<8x3x16xf32> {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0] : (tensor<64x16x3xf32>, tensor<64x8xf32>) -> tensor<16x3x8xf32>
  %1 = stablehlo.transpose %0, dims = [2, 1, 0] : (tensor<16x3x8xf32>) -> tensor<8x3x16xf32>
  return %1 : tensor<8x3x16xf32>
}

func.func @result_of_two_precisions(%arg0: tensor<64x16xf32>, %arg1: tensor<64x8xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0], precision = [DEFAULT, HIGHEST] : (tensor<64x16xf32>, tensor<64x8xf32>) -> tensor<16x8xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

func.func @few_columns(%arg0: tensor<256x2x512xbf16>, %arg1: tensor<8x256xbf16>) -> tensor<2x8x512xbf16> {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [1] : (tensor<256x2x512xbf16>, tensor<8x256xbf16>) -> tensor<2x512x8xbf16>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<2x512x8xbf16>) -> tensor<2x8x512xbf16>
  return %1 : tensor<2x8x512xbf16>
}

func.func @few_columns_of_narrow_weights(%arg0: tensor<512x256xi8>, %arg1: tensor<2x4x256xf32>) -> tensor<512x2x4xf32> {
  %0 = stablehlo.convert %arg0 : (tensor<512x256xi8>) -> tensor<512x256xf32>
  %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [2] : (tensor<512x256xf32>, tensor<2x4x256xf32>) -> tensor<512x2x4xf32>
  return %1 : tensor<512x2x4xf32>
}

func.func @few_rows_and_columns(%arg0: tensor<16x8192xf32>, %arg1: tensor<8x8192xf32>) -> tensor<16x8xf32> {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [1] : (tensor<16x8192xf32>, tensor<8x8192xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

func.func @few_columns_of_large_result(%arg0: tensor<16384x8xf32>, %arg1: tensor<8x8xf32>) -> tensor<16384x8xf32> {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [1] : (tensor<16384x8xf32>, tensor<8x8xf32>) -> tensor<16384x8xf32>
  return %0 : tensor<16384x8xf32>
}

func.func @contiguous_rows_and_strided_columns(%arg0: tensor<4096x256xf32>, %arg1: tensor<256x10xf32>) -> tensor<4096x10xf32> {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4096x256xf32>, tensor<256x10xf32>) -> tensor<4096x10xf32>
  return %0 : tensor<4096x10xf32>
}
