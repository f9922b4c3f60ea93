// complex makes numbers from real and imaginary parts
// RUN: shardrun --interpret %s --input="7xf32=-1.48 -1.23 1.16 0.07 1.98 -1.13 1.32" --input="7xf32=1.36 0.22 0.44 1.42 0.04 -0.41 1.84" --expected-output="7xcomplex<f32>=-1.48+1.36j -1.23+0.22j 1.16+0.44j 0.07+1.42j 1.98+0.04j -1.13-0.41j 1.32+1.84j" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<7xcomplex<f32>>) {
  %r0 = stablehlo.complex %a, %b : tensor<7xcomplex<f32>>
  return %r0 : tensor<7xcomplex<f32>>
}
