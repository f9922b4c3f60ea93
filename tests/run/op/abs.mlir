// stablehlo.abs gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=-0.36 1.95 -1.73 -1.74 -1.51 0.62 0.74 -1.43 1.68 -0.94 -0.66 -1.74 1.11 0.41 -1.98 -0.38 0.39 -1.6 -0.52 1.51 -0.64 -1.25 -0.01 -1.16 -1.35 -1.81 -0.25 0 -1.11 -1.94" --input="9xi32=-2 -2 -1 -2 -2 -2 -1 0 -1" --input="5xcomplex<f32>=1.25-0.27j -1.25+0.98j -0.27-1.18j -0.31+0.82j 0.25+0.97j" --expected-output="6x5xf32=0.36 1.95 1.73 1.74 1.51 0.62 0.74 1.43 1.68 0.94 0.66 1.74 1.11 0.41 1.98 0.38 0.39 1.6 0.52 1.51 0.64 1.25 0.01 1.16 1.35 1.81 0.25 0 1.11 1.94" --expected-output="9xi32=2 2 1 2 2 2 1 0 1" --expected-output="5xf32=1.278828 1.588364 1.210496 0.8766413 1.001699" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %c: tensor<5xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6x5xf32>, tensor<9xi32>, tensor<5xf32>) {
  %r0 = stablehlo.abs %a : tensor<6x5xf32>
  %r1 = stablehlo.abs %b : tensor<9xi32>
  %r2 = stablehlo.abs %c : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
  return %r0, %r1, %r2 : tensor<6x5xf32>, tensor<9xi32>, tensor<5xf32>
}
