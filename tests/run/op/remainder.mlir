// stablehlo.remainder of two operands gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=-0.51 -0.92 0.19 0.47 1.73 -1.25 -1.05 1.33 1.5 -1.11 1.14 -1.24 0.97 1.16 -0.43 1.88 1.25 1.45 0.15 0.09 -0.91 -1.87 1.91 -1.02 -0.38 -0.53 -1.29 0.06 0.04 0.12" --input="6x5xf32=1.11 0.66 0.72 1.22 0.6 1.91 1.83 0.58 1.68 1.24 1.58 0.92 1.22 0.59 1.34 1.91 0.76 1.89 1.98 1.75 1.55 1.74 1.68 1.89 0.7 1.57 0.55 0.96 1.97 1.59" --input="9xi32=9 6 0 2 -6 -6 6 1 -3" --input="9xi32=4 4 5 4 5 3 3 4 5" --expected-output="6x5xf32=-0.51 -0.26 0.19 0.47 0.53 -1.25 -1.05 0.1700001 1.5 -1.11 1.14 -0.32 0.97 0.57 -0.43 1.88 0.49 1.45 0.15 0.09 -0.91 -0.13 0.23 -1.02 -0.38 -0.53 -0.1899999 0.06 0.04 0.12" --expected-output="9xi32=1 2 0 2 -1 0 0 1 -3" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %c: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %d: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6x5xf32>, tensor<9xi32>) {
  %r0 = stablehlo.remainder %a, %b : tensor<6x5xf32>
  %r1 = stablehlo.remainder %c, %d : tensor<9xi32>
  return %r0, %r1 : tensor<6x5xf32>, tensor<9xi32>
}
