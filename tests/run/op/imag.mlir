// stablehlo.imag gives the expected value for each element
// RUN: shardrun --interpret %s --input="5xcomplex<f32>=0.84+0.99j -1.9+0.45j -1.28+1.51j 0.11-1.31j 1.33+0.46j" --expected-output="5xf32=0.99 0.45 1.51 -1.31 0.46" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<5xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<5xf32>) {
  %r0 = stablehlo.imag %a : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
  return %r0 : tensor<5xf32>
}
