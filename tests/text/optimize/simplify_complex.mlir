// real and imag of a complex number made from parts become the parts
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%a: tensor<f32>, %b: tensor<f32>, %z: tensor<complex<f32>>) -> (tensor<f32>, tensor<complex<f32>>) {
  %0 = stablehlo.complex %a, %b : tensor<complex<f32>>
  %1 = stablehlo.imag %0 : (tensor<complex<f32>>) -> tensor<f32>
  %2 = stablehlo.real %z : (tensor<complex<f32>>) -> tensor<f32>
  %3 = stablehlo.imag %z : (tensor<complex<f32>>) -> tensor<f32>
  %4 = stablehlo.complex %2, %3 : tensor<complex<f32>>
  return %1, %4 : tensor<f32>, tensor<complex<f32>>
}
