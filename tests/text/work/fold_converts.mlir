// A product with few rows reads narrow weights in place of their converted copy, through a transpose, too. A scale along free or batch
// dimensions of the weights becomes a scale of the result. With a scale for each group of rows of the weights, the product becomes a
// batch of products, whose scaled results are added. The convert stays for a scale along a contracting dimension, many rows, small
// weights, batches of small matrices, other readers of the converted weights, types that are not exact in the
// computation's type, and i1.
// RUN: shardopt %s -shardrun-lower-to-work
func.func @columns(%x: tensor<1x256xf32>, %w: tensor<256x512xi8>, %scale: tensor<1x512xf32>) -> tensor<1x512xf32> {
  %0 = stablehlo.convert %w : (tensor<256x512xi8>) -> tensor<256x512xf32>
  %1 = stablehlo.broadcast_in_dim %scale, dims = [0, 1] : (tensor<1x512xf32>) -> tensor<256x512xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<256x512xf32>
  %3 = stablehlo.dot_general %x, %2, contracting_dims = [1] x [0] : (tensor<1x256xf32>, tensor<256x512xf32>) -> tensor<1x512xf32>
  return %3 : tensor<1x512xf32>
}

func.func @transposed(%x: tensor<2x3x256xf32>, %w: tensor<512x256xui8>, %scale: tensor<512xf32>) -> tensor<2x3x512xf32> {
  %0 = stablehlo.convert %w : (tensor<512x256xui8>) -> tensor<512x256xf32>
  %1 = stablehlo.broadcast_in_dim %scale, dims = [0] : (tensor<512xf32>) -> tensor<512x256xf32>
  %2 = stablehlo.multiply %1, %0 : tensor<512x256xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<512x256xf32>) -> tensor<256x512xf32>
  %4 = stablehlo.dot_general %x, %3, contracting_dims = [2] x [0] : (tensor<2x3x256xf32>, tensor<256x512xf32>) -> tensor<2x3x512xf32>
  return %4 : tensor<2x3x512xf32>
}

func.func @batches(%x: tensor<4x8x128xf32>, %w: tensor<4x128x256xi8>, %scale: tensor<4x1x256xf32>) -> tensor<4x8x256xf32> {
  %0 = stablehlo.convert %w : (tensor<4x128x256xi8>) -> tensor<4x128x256xf32>
  %1 = stablehlo.broadcast_in_dim %scale, dims = [0, 1, 2] : (tensor<4x1x256xf32>) -> tensor<4x128x256xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<4x128x256xf32>
  %3 = stablehlo.dot_general %x, %2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x8x128xf32>, tensor<4x128x256xf32>) -> tensor<4x8x256xf32>
  return %3 : tensor<4x8x256xf32>
}

func.func @bf16(%x: tensor<4x256xbf16>, %w: tensor<512x256xi8>) -> tensor<4x512xbf16> {
  %0 = stablehlo.convert %w : (tensor<512x256xi8>) -> tensor<512x256xbf16>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [1] : (tensor<4x256xbf16>, tensor<512x256xbf16>) -> tensor<4x512xbf16>
  return %1 : tensor<4x512xbf16>
}

func.func @contracting_scale(%x: tensor<1x256xf32>, %w: tensor<256x512xi8>, %scale: tensor<256xf32>) -> tensor<1x512xf32> {
  %0 = stablehlo.convert %w : (tensor<256x512xi8>) -> tensor<256x512xf32>
  %1 = stablehlo.broadcast_in_dim %scale, dims = [0] : (tensor<256xf32>) -> tensor<256x512xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<256x512xf32>
  %3 = stablehlo.dot_general %x, %2, contracting_dims = [1] x [0] : (tensor<1x256xf32>, tensor<256x512xf32>) -> tensor<1x512xf32>
  return %3 : tensor<1x512xf32>
}

func.func @many_rows(%x: tensor<512x256xf32>, %w: tensor<256x512xi8>) -> tensor<512x512xf32> {
  %0 = stablehlo.convert %w : (tensor<256x512xi8>) -> tensor<256x512xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<512x256xf32>, tensor<256x512xf32>) -> tensor<512x512xf32>
  return %1 : tensor<512x512xf32>
}

func.func @small(%x: tensor<1x64xf32>, %w: tensor<64x512xi8>) -> tensor<1x512xf32> {
  %0 = stablehlo.convert %w : (tensor<64x512xi8>) -> tensor<64x512xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<1x64xf32>, tensor<64x512xf32>) -> tensor<1x512xf32>
  return %1 : tensor<1x512xf32>
}

func.func @small_matrices(%x: tensor<512x2x8xf32>, %w: tensor<512x2x8x16xi8>) -> tensor<512x8x16xf32> {
  %0 = stablehlo.convert %w : (tensor<512x2x8x16xi8>) -> tensor<512x2x8x16xf32>
  %1 = stablehlo.dot_general %x, %0, batching_dims = [0, 2] x [0, 2], contracting_dims = [1] x [1] : (tensor<512x2x8xf32>, tensor<512x2x8x16xf32>) -> tensor<512x8x16xf32>
  return %1 : tensor<512x8x16xf32>
}

func.func @other_reader(%x: tensor<1x256xf32>, %w: tensor<256x512xi8>) -> (tensor<1x512xf32>, tensor<256x512xf32>) {
  %0 = stablehlo.convert %w : (tensor<256x512xi8>) -> tensor<256x512xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<1x256xf32>, tensor<256x512xf32>) -> tensor<1x512xf32>
  return %1, %0 : tensor<1x512xf32>, tensor<256x512xf32>
}

func.func @wide_integers(%x: tensor<1x256xf32>, %w: tensor<256x512xi32>) -> tensor<1x512xf32> {
  %0 = stablehlo.convert %w : (tensor<256x512xi32>) -> tensor<256x512xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<1x256xf32>, tensor<256x512xf32>) -> tensor<1x512xf32>
  return %1 : tensor<1x512xf32>
}

func.func @masks(%x: tensor<1x256xf32>, %w: tensor<256x512xi1>) -> tensor<1x512xf32> {
  %0 = stablehlo.convert %w : (tensor<256x512xi1>) -> tensor<256x512xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<1x256xf32>, tensor<256x512xf32>) -> tensor<1x512xf32>
  return %1 : tensor<1x512xf32>
}

func.func @bf16_scale(%x: tensor<4x256xbf16>, %w: tensor<256x512xi8>, %scale: tensor<512xbf16>) -> tensor<4x512xbf16> {
  %0 = stablehlo.convert %w : (tensor<256x512xi8>) -> tensor<256x512xbf16>
  %1 = stablehlo.broadcast_in_dim %scale, dims = [1] : (tensor<512xbf16>) -> tensor<256x512xbf16>
  %2 = stablehlo.multiply %0, %1 : tensor<256x512xbf16>
  %3 = stablehlo.dot_general %x, %2, contracting_dims = [1] x [0] : (tensor<4x256xbf16>, tensor<256x512xbf16>) -> tensor<4x512xbf16>
  return %3 : tensor<4x512xbf16>
}

func.func @groups(%x: tensor<2x3x256xf32>, %w: tensor<256x512xi8>, %scale: tensor<4x512xf32>) -> tensor<2x3x512xf32> {
  %0 = stablehlo.convert %w : (tensor<256x512xi8>) -> tensor<256x512xf32>
  %1 = stablehlo.reshape %0 : (tensor<256x512xf32>) -> tensor<4x64x512xf32>
  %2 = stablehlo.broadcast_in_dim %scale, dims = [0, 2] : (tensor<4x512xf32>) -> tensor<4x64x512xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<4x64x512xf32>
  %4 = stablehlo.reshape %3 : (tensor<4x64x512xf32>) -> tensor<256x512xf32>
  %5 = stablehlo.dot_general %x, %4, contracting_dims = [2] x [0] : (tensor<2x3x256xf32>, tensor<256x512xf32>) -> tensor<2x3x512xf32>
  return %5 : tensor<2x3x512xf32>
}

func.func @groups_transposed(%x: tensor<256x4xf16>, %w: tensor<4x64x512xui8>, %scale: tensor<4x1x512xf16>) -> tensor<4x512xf16> {
  %0 = stablehlo.convert %w : (tensor<4x64x512xui8>) -> tensor<4x64x512xf16>
  %1 = stablehlo.broadcast_in_dim %scale, dims = [0, 1, 2] : (tensor<4x1x512xf16>) -> tensor<4x64x512xf16>
  %2 = stablehlo.multiply %0, %1 : tensor<4x64x512xf16>
  %3 = stablehlo.reshape %2 : (tensor<4x64x512xf16>) -> tensor<256x512xf16>
  %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<256x512xf16>) -> tensor<512x256xf16>
  %5 = stablehlo.dot_general %x, %4, contracting_dims = [0] x [1] : (tensor<256x4xf16>, tensor<512x256xf16>) -> tensor<4x512xf16>
  return %5 : tensor<4x512xf16>
}

func.func @scale_in_groups(%x: tensor<4x256xf32>, %w: tensor<4x64x512xi8>, %scale: tensor<4x64xf32>) -> tensor<4x512xf32> {
  %0 = stablehlo.convert %w : (tensor<4x64x512xi8>) -> tensor<4x64x512xf32>
  %1 = stablehlo.broadcast_in_dim %scale, dims = [0, 1] : (tensor<4x64xf32>) -> tensor<4x64x512xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<4x64x512xf32>
  %3 = stablehlo.reshape %2 : (tensor<4x64x512xf32>) -> tensor<256x512xf32>
  %4 = stablehlo.dot_general %x, %3, contracting_dims = [1] x [0] : (tensor<4x256xf32>, tensor<256x512xf32>) -> tensor<4x512xf32>
  return %4 : tensor<4x512xf32>
}

func.func @groups_of_columns(%x: tensor<4x256xf32>, %w: tensor<512x4x64xi8>, %scale: tensor<512x4xf32>) -> tensor<4x512xf32> {
  %0 = stablehlo.convert %w : (tensor<512x4x64xi8>) -> tensor<512x4x64xf32>
  %1 = stablehlo.broadcast_in_dim %scale, dims = [0, 1] : (tensor<512x4xf32>) -> tensor<512x4x64xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<512x4x64xf32>
  %3 = stablehlo.reshape %2 : (tensor<512x4x64xf32>) -> tensor<512x256xf32>
  %4 = stablehlo.dot_general %x, %3, contracting_dims = [1] x [1] : (tensor<4x256xf32>, tensor<512x256xf32>) -> tensor<4x512xf32>
  return %4 : tensor<4x512xf32>
}

func.func @more_rows_than_a_group(%x: tensor<20x256xf32>, %w: tensor<16x16x512xi8>, %scale: tensor<16x512xf32>) -> tensor<20x512xf32> {
  %0 = stablehlo.convert %w : (tensor<16x16x512xi8>) -> tensor<16x16x512xf32>
  %1 = stablehlo.broadcast_in_dim %scale, dims = [0, 2] : (tensor<16x512xf32>) -> tensor<16x16x512xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<16x16x512xf32>
  %3 = stablehlo.reshape %2 : (tensor<16x16x512xf32>) -> tensor<256x512xf32>
  %4 = stablehlo.dot_general %x, %3, contracting_dims = [1] x [0] : (tensor<20x256xf32>, tensor<256x512xf32>) -> tensor<20x512xf32>
  return %4 : tensor<20x512xf32>
}
