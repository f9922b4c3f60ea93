// The exponential of a complex number is computed from real and imaginary parts.
// RUN: shardopt %s -stablehlo-complex-math-expander
func.func @main(%x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = stablehlo.exponential %x : tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}
