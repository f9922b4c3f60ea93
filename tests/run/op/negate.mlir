// stablehlo.negate gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=1.03 1.15 0.6 0.16 -1.53 0.82 1.55 -1.65 -1.69 0.87 -0.69 -1.01 1.3 0.24 1.74 1.97 1.98 1.6 -1.16 1.51 -1.7 1.25 -0.25 0.12 1.75 -0.96 0.14 -1.11 -1.06 0.3" --input="9xi32=1 1 1 2 -1 1 -1 -2 -2" --input="5xcomplex<f32>=-0.11-1.91j 1.21-1.32j 1.55-0.03j -1.22-0.22j 0.18+1.17j" --expected-output="6x5xf32=-1.03 -1.15 -0.6 -0.16 1.53 -0.82 -1.55 1.65 1.69 -0.87 0.69 1.01 -1.3 -0.24 -1.74 -1.97 -1.98 -1.6 1.16 -1.51 1.7 -1.25 0.25 -0.12 -1.75 0.96 -0.14 1.11 1.06 -0.3" --expected-output="9xi32=-1 -1 -1 -2 1 -1 1 2 2" --expected-output="5xcomplex<f32>=0.11+1.91j -1.21+1.32j -1.55+0.03j 1.22+0.22j -0.18-1.17j" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %c: tensor<5xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6x5xf32>, tensor<9xi32>, tensor<5xcomplex<f32>>) {
  %r0 = stablehlo.negate %a : tensor<6x5xf32>
  %r1 = stablehlo.negate %b : tensor<9xi32>
  %r2 = stablehlo.negate %c : tensor<5xcomplex<f32>>
  return %r0, %r1, %r2 : tensor<6x5xf32>, tensor<9xi32>, tensor<5xcomplex<f32>>
}
