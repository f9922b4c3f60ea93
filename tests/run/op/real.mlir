// stablehlo.real gives the expected value for each element
// RUN: shardrun --interpret %s --input="5xcomplex<f32>=-1.29-0.1j 0.31+1.38j -1.45-1.54j -0.01-1.42j -0.94-1.47j" --expected-output="5xf32=-1.29 0.31 -1.45 -0.01 -0.94" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<5xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<5xf32>) {
  %r0 = stablehlo.real %a : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
  return %r0 : tensor<5xf32>
}
