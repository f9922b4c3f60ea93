// A small matrix applied along an outer dimension, with the result transposed to the array's order, is one loop nest over rows, also
// with two contracted dimensions and of complex numbers. In a chain, the first product keeps the array's order for the second one,
// which contracts the last dimension and stays a product. Without rows of the array, with a large matrix, or with
// rows of 4 elements and more than 8 terms, products stay.
// RUN: shardopt -shardrun-lower-to-work -shardrun-fuse %s
func.func @planes(%x: tensor<8x3x32xf32>, %m: tensor<2x3xf32>) -> tensor<8x2x32xf32> {
  %0 = stablehlo.dot_general %m, %x, contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<8x3x32xf32>) -> tensor<2x8x32xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<2x8x32xf32>) -> tensor<8x2x32xf32>
  return %1 : tensor<8x2x32xf32>
}
func.func @array_is_left(%x: tensor<8x2x32xf64>, %m: tensor<2x3xf64>) -> tensor<8x3x32xf64> {
  %0 = stablehlo.dot_general %x, %m, contracting_dims = [1] x [0] : (tensor<8x2x32xf64>, tensor<2x3xf64>) -> tensor<8x32x3xf64>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<8x32x3xf64>) -> tensor<8x3x32xf64>
  return %1 : tensor<8x3x32xf64>
}
func.func @gate_of_two_qubits(%x: tensor<4x2x2x32xcomplex<f32>>, %g: tensor<2x2x2x2xcomplex<f32>>) -> tensor<4x2x2x32xcomplex<f32>> {
  %0 = stablehlo.dot_general %g, %x, contracting_dims = [2, 3] x [1, 2] : (tensor<2x2x2x2xcomplex<f32>>, tensor<4x2x2x32xcomplex<f32>>) -> tensor<2x2x4x32xcomplex<f32>>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1, 3] : (tensor<2x2x4x32xcomplex<f32>>) -> tensor<4x2x2x32xcomplex<f32>>
  return %1 : tensor<4x2x2x32xcomplex<f32>>
}
func.func @chain(%x: tensor<4x3x16x2xf32>, %a: tensor<3x3xf32>, %b: tensor<2x2xf32>) -> tensor<4x3x16x2xf32> {
  %0 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [1] : (tensor<4x3x16x2xf32>, tensor<3x3xf32>) -> tensor<4x16x2x3xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [2] x [1] : (tensor<4x16x2x3xf32>, tensor<2x2xf32>) -> tensor<4x16x3x2xf32>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1, 3] : (tensor<4x16x3x2xf32>) -> tensor<4x3x16x2xf32>
  return %2 : tensor<4x3x16x2xf32>
}
func.func @batch_of_4x4(%x: tensor<50x4x4xf32>, %m: tensor<4x4xf32>) -> tensor<50x4x4xf32> {
  %0 = stablehlo.dot_general %m, %x, contracting_dims = [1] x [1] : (tensor<4x4xf32>, tensor<50x4x4xf32>) -> tensor<4x50x4xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<4x50x4xf32>) -> tensor<50x4x4xf32>
  return %1 : tensor<50x4x4xf32>
}
func.func @short_rows(%x: tensor<50x9x4xf32>, %m: tensor<4x9xf32>) -> tensor<50x4x4xf32> {
  %0 = stablehlo.dot_general %m, %x, contracting_dims = [1] x [1] : (tensor<4x9xf32>, tensor<50x9x4xf32>) -> tensor<4x50x4xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<4x50x4xf32>) -> tensor<50x4x4xf32>
  return %1 : tensor<50x4x4xf32>
}
func.func @no_rows(%x: tensor<8x3x32xf32>, %m: tensor<2x3xf32>) -> tensor<8x32x2xf32> {
  %0 = stablehlo.dot_general %m, %x, contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<8x3x32xf32>) -> tensor<2x8x32xf32>
  %1 = stablehlo.transpose %0, dims = [1, 2, 0] : (tensor<2x8x32xf32>) -> tensor<8x32x2xf32>
  return %1 : tensor<8x32x2xf32>
}
func.func @large_matrix(%x: tensor<8x20x32xf32>, %m: tensor<24x20xf32>) -> tensor<8x24x32xf32> {
  %0 = stablehlo.dot_general %m, %x, contracting_dims = [1] x [1] : (tensor<24x20xf32>, tensor<8x20x32xf32>) -> tensor<24x8x32xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<24x8x32xf32>) -> tensor<8x24x32xf32>
  return %1 : tensor<8x24x32xf32>
}
// The transposed value is the second result of an op whose first result has no user.
func.func @not_a_product(%k: tensor<2xui64>) -> tensor<6x4xui32> {
  %0:2 = stablehlo.rng_bit_generator %k, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x6xui32>)
  %1 = stablehlo.transpose %0#1, dims = [1, 0] : (tensor<4x6xui32>) -> tensor<6x4xui32>
  return %1 : tensor<6x4xui32>
}
