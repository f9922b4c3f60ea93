// A reduction of a stack reads its operands, and reshapes that remove dimensions of extent 1 follow slices and concatenates: the rows of
// an array that are rolled are read in place. Not so: stacks of operands with several elements along the dimension, sums of bf16, which
// are accumulated in f32, and reshapes that merge dimensions.
// RUN: shardopt %s -shardrun-simplify -dce
func.func @sum_of_stack(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %z: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %zero = stablehlo.constant dense<1.0> : tensor<f32>
  %a = stablehlo.reshape %x : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
  %b = stablehlo.reshape %y : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
  %c = stablehlo.reshape %z : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
  %s = stablehlo.concatenate %a, %b, %c, dim = 0 : (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<3x4x8xf32>
  %r = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3x4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %0 = stablehlo.slice %s [1:2, 0:4, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
  return %r, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

func.func @sum_of_parts(%x: tensor<2x8xf32>, %y: tensor<1x8xf32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2x8xf32>, tensor<1x8xf32>) -> tensor<3x8xf32>
  %r = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

func.func @sum_of_bf16(%x: tensor<1x8xbf16>, %y: tensor<1x8xbf16>) -> tensor<8xbf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %s = stablehlo.concatenate %x, %y, dim = 0 : (tensor<1x8xbf16>, tensor<1x8xbf16>) -> tensor<2x8xbf16>
  %r = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2x8xbf16>, tensor<bf16>) -> tensor<8xbf16>
  return %r : tensor<8xbf16>
}

// jnp.roll(jnp.roll(f[1], 1, 1), -1, 0)
func.func @rolls_of_row(%f: tensor<3x4x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.slice %f [1:2, 0:4, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
  %2 = stablehlo.slice %1 [0:4, 7:8] : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %3 = stablehlo.slice %1 [0:4, 0:7] : (tensor<4x8xf32>) -> tensor<4x7xf32>
  %4 = stablehlo.concatenate %2, %3, dim = 1 : (tensor<4x1xf32>, tensor<4x7xf32>) -> tensor<4x8xf32>
  %5 = stablehlo.slice %4 [1:4, 0:8] : (tensor<4x8xf32>) -> tensor<3x8xf32>
  %6 = stablehlo.slice %4 [0:1, 0:8] : (tensor<4x8xf32>) -> tensor<1x8xf32>
  %7 = stablehlo.concatenate %5, %6, dim = 0 : (tensor<3x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  return %7 : tensor<4x8xf32>
}

func.func @column_of_rows(%f: tensor<4x1x1x8xf32>) -> tensor<2x1x3xf32> {
  %0 = stablehlo.slice %f [0:3, 0:1, 0:1, 0:8] : (tensor<4x1x1x8xf32>) -> tensor<3x1x1x8xf32>
  %1 = stablehlo.reshape %0 : (tensor<3x1x1x8xf32>) -> tensor<3x1x8xf32>
  %2 = stablehlo.slice %1 [1:3, 0:1, 2:8:2] : (tensor<3x1x8xf32>) -> tensor<2x1x3xf32>
  return %2 : tensor<2x1x3xf32>
}

func.func @merged(%f: tensor<4x2x8xf32>) -> tensor<8x3xf32> {
  %0 = stablehlo.slice %f [0:4, 0:2, 0:6] : (tensor<4x2x8xf32>) -> tensor<4x2x6xf32>
  %1 = stablehlo.reshape %0 : (tensor<4x2x6xf32>) -> tensor<8x6xf32>
  %2 = stablehlo.slice %1 [0:8, 2:5] : (tensor<8x6xf32>) -> tensor<8x3xf32>
  return %2 : tensor<8x3xf32>
}

// A row from elsewhere, and the other rows of a matrix of an array: the row gets the dimension that the matrix has in the array.
func.func @border_and_row(%f: tensor<3x4x8xf32>, %row: tensor<1x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.slice %f [1:2, 0:3, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x3x8xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x3x8xf32>) -> tensor<3x8xf32>
  %2 = stablehlo.concatenate %row, %1, dim = 0 : (tensor<1x8xf32>, tensor<3x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
