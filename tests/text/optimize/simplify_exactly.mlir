// Ops that return an operand bit for bit are removed: x * 1, x + -0, x - 0, two inverse transposes.
// Kept: x + 0, since -0 + 0 is 0; x * 0 and x - x, which are NaN if x is; products of complex numbers.
// RUN: shardopt %s -shardrun-simplify

func.func @gone(%x: tensor<4x2xf32>, %n: tensor<4xi32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4xi32>) {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %ones = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<4x2xf32>
  %minus_zero = stablehlo.constant dense<-0.0> : tensor<4x2xf32>
  %none = stablehlo.constant dense<0> : tensor<4xi32>
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %2 = stablehlo.multiply %ones, %1 : tensor<4x2xf32>
  %3 = stablehlo.add %x, %minus_zero : tensor<4x2xf32>
  %4 = stablehlo.subtract %x, %zero : tensor<4x2xf32>
  %5 = stablehlo.add %n, %none : tensor<4xi32>
  return %2, %3, %4, %5 : tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4xi32>
}

func.func @stays(%x: tensor<4xf32>, %z: tensor<4xcomplex<f32>>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xcomplex<f32>>) {
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %minus_zero = stablehlo.constant dense<-0.0> : tensor<4xf32>
  %one = stablehlo.constant dense<(1.0, 0.0)> : tensor<4xcomplex<f32>>
  %0 = stablehlo.add %x, %zero : tensor<4xf32>
  %1 = stablehlo.subtract %x, %minus_zero : tensor<4xf32>
  %2 = stablehlo.multiply %x, %zero : tensor<4xf32>
  %3 = stablehlo.subtract %x, %x : tensor<4xf32>
  %4 = stablehlo.subtract %zero, %x : tensor<4xf32>
  %5 = stablehlo.multiply %z, %one : tensor<4xcomplex<f32>>
  return %0, %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xcomplex<f32>>
}
