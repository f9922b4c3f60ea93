// Two tensors with zeros between their elements, added, are a concatenate of the two along a new dimension. Adding 0 makes -0 positive.
// RUN: shardopt %s -shardrun-simplify

func.func @even(%x: tensor<3x4xf32>, %y: tensor<3x4xf32>) -> tensor<3x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %zero, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x8xf32>
  %1 = stablehlo.pad %y, %zero, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x8xf32>
  %2 = stablehlo.add %0, %1 : tensor<3x8xf32>
  return %2 : tensor<3x8xf32>
}

// The first has one element more, and is the right operand.
func.func @odd(%x: tensor<4x2xi1>, %y: tensor<3x2xi1>) -> tensor<7x2xi1> {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.pad %x, %false, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<4x2xi1>, tensor<i1>) -> tensor<7x2xi1>
  %1 = stablehlo.pad %y, %false, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<3x2xi1>, tensor<i1>) -> tensor<7x2xi1>
  %2 = stablehlo.or %1, %0 : tensor<7x2xi1>
  return %2 : tensor<7x2xi1>
}

// Unchanged: the elements do not alternate.
func.func @apart(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<2xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.pad %x, %zero, low = [0], high = [1], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = stablehlo.pad %y, %one, low = [1], high = [0], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.add %0, %1 : tensor<8xf32>
  %3 = stablehlo.pad %x, %zero, low = [0], high = [1], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  %4 = stablehlo.pad %z, %zero, low = [1], high = [4], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<8xf32>
  %5 = stablehlo.add %3, %4 : tensor<8xf32>
  return %2, %5 : tensor<8xf32>, tensor<8xf32>
}
