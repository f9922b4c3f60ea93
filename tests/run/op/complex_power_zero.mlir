// Any complex number to the power of 0 is 1, also Inf and NaN, interpreted, in kernels and in compiled code
// RUN: for mode in --interpret --codegen=off --codegen=on; do shardrun $mode -q %s --input="7xcomplex<f32>=inf+0j nan+0j 1+infj -inf+nanj nan+nanj 0+0j 2-3j" --input="7xcomplex<f32>=0+0j 0-0j -0+0j 0+0j 0+0j 0+0j 0+0j" --input="7xcomplex<f64>=inf+0j nan+0j 1+infj -inf+nanj nan+nanj 0+0j 2-3j" --input="7xcomplex<f64>=0+0j 0-0j -0+0j 0+0j 0+0j 0+0j 0+0j" --expected-output="7xcomplex<f32>=1+0j 1+0j 1+0j 1+0j 1+0j 1+0j 1+0j" --expected-output="7xcomplex<f64>=1+0j 1+0j 1+0j 1+0j 1+0j 1+0j 1+0j" >/dev/null || exit 1; done
func.func @main(%a: tensor<7xcomplex<f32>>, %b: tensor<7xcomplex<f32>>, %c: tensor<7xcomplex<f64>>, %d: tensor<7xcomplex<f64>>) -> (tensor<7xcomplex<f32>>, tensor<7xcomplex<f64>>) {
  %r = stablehlo.power %a, %b : tensor<7xcomplex<f32>>
  %s = stablehlo.power %c, %d : tensor<7xcomplex<f64>>
  return %r, %s : tensor<7xcomplex<f32>>, tensor<7xcomplex<f64>>
}
