// Quotients of complex<f64>, interpreted, in kernels and in compiled code: an infinity over a number of which one part is less than
// 2^-1022 of the other, and subnormal numerators, the second one of which gives a real part of -0, or 0 if it is flushed
// RUN: sign=-; for mode in --interpret --codegen=off --codegen=on; do shardrun $mode -q %s --input="7xcomplex<f64>=inf+1j inf+1j 1-infj inf+1j nan-infj -4.4e-323+0j -2.4906e-320-3.650437602016753e139j" --input="7xcomplex<f64>=1+1e-310j 1e-310-1j 1+1e-310j 3e-320+1e10j 1e300-3e-310j 3.165900693623995e-302-2.9417e-320j 2.810655234309459e169-2.525642989119627e-161j" --expected-output="7xcomplex<f64>=inf-infj inf+infj -inf-infj inf-infj inf-infj -1.4045263079560537e-21-1.3050467741728789e-39j 0-1.2987852645376539e-30j" --expected-output="7xf64=0 0 0 0 0 -7.1198381570741581e+20 ${sign}inf" >/dev/null || exit 1; sign=; done
func.func @main(%a: tensor<7xcomplex<f64>>, %b: tensor<7xcomplex<f64>>) -> (tensor<7xcomplex<f64>>, tensor<7xf64>) {
  %one = stablehlo.constant dense<1.0> : tensor<7xf64>
  %q = stablehlo.divide %a, %b : tensor<7xcomplex<f64>>
  %re = stablehlo.real %q : (tensor<7xcomplex<f64>>) -> tensor<7xf64>
  %inverse = stablehlo.divide %one, %re : tensor<7xf64>
  return %q, %inverse : tensor<7xcomplex<f64>>, tensor<7xf64>
}
