// A product reads a large transposed operand as it lies, and a transposition that nobody else reads is not made; one that the result also
// is stays. What is small, or would lie in pieces, or would come out in another order, is transposed.
// A product whose result is transposed makes it as it is wanted, with its sides exchanged, unless the product is read by others, or the
// left side would have no rows that stand, or the transposition does more
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
