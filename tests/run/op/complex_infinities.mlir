// Functions of complex numbers with an infinite imaginary part (tan: real part) are NaN, interpreted, in kernels and in compiled code
// RUN: for mode in --interpret --codegen=off --codegen=on; do shardrun $mode -q %s --input="6xcomplex<f32>=inf+infj -inf+infj -inf-infj 0+infj inf+0j 0.5+1j" --input="6xcomplex<f64>=inf+infj -inf+infj -inf-infj 0+infj inf+0j 0.5+1j" --expected-output="6xcomplex<f32>=nan+nanj nan+nanj nan+nanj nan+nanj inf+0j 0.8908079+1.387351j" --expected-output="6xcomplex<f64>=nan+nanj nan+nanj nan+nanj nan+nanj inf+0j 0.8908079042931287+1.3873511113297634j" --expected-output="6xcomplex<f32>=nan+nanj nan+nanj nan+nanj nan+nanj inf+0j -0.1091921+1.387351j" --expected-output="6xcomplex<f64>=nan+nanj nan+nanj nan+nanj nan+nanj inf+0j -0.10919209570687127+1.3873511113297634j" --expected-output="6xcomplex<f32>=0+1j 0+1j 0-1j 0+1j nan+nanj 0.1955773+0.8429662j" --expected-output="6xcomplex<f64>=1+0j -1+0j -1+0j nan+nanj 1+0j 1.0428307283443612+0.8068774121630852j" --expected-output="6xcomplex<f32>=nan+nanj nan+nanj nan+nanj nan+nanj inf+0j 0.6092591+0.4384866j" >/dev/null || exit 1; done
func.func @main(%a: tensor<6xcomplex<f32>>, %b: tensor<6xcomplex<f64>>) -> (tensor<6xcomplex<f32>>, tensor<6xcomplex<f64>>, tensor<6xcomplex<f32>>, tensor<6xcomplex<f64>>, tensor<6xcomplex<f32>>, tensor<6xcomplex<f64>>, tensor<6xcomplex<f32>>) {
  %exp = stablehlo.exponential %a : tensor<6xcomplex<f32>>
  %exp64 = stablehlo.exponential %b : tensor<6xcomplex<f64>>
  %expm1 = stablehlo.exponential_minus_one %a : tensor<6xcomplex<f32>>
  %expm1_64 = stablehlo.exponential_minus_one %b : tensor<6xcomplex<f64>>
  %tan = stablehlo.tan %a : tensor<6xcomplex<f32>>
  %tanh64 = stablehlo.tanh %b : tensor<6xcomplex<f64>>
  %cosh = chlo.cosh %a : tensor<6xcomplex<f32>> -> tensor<6xcomplex<f32>>
  return %exp, %exp64, %expm1, %expm1_64, %tan, %tanh64, %cosh : tensor<6xcomplex<f32>>, tensor<6xcomplex<f64>>, tensor<6xcomplex<f32>>, tensor<6xcomplex<f64>>, tensor<6xcomplex<f32>>, tensor<6xcomplex<f64>>, tensor<6xcomplex<f32>>
}
