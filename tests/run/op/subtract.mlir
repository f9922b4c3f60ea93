// stablehlo.subtract of two operands gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=1.36 -0.98 1.21 1.45 0.04 -0.3 1.75 1.67 0.84 -1.47 -1.59 -1.22 0.55 0.06 1.8 -0.29 -1.8 -0.1 0.62 1.71 -1.27 -0.47 -1.19 1.28 1.7 -0.13 1.66 0.43 0.56 1.36" --input="6x5xf32=0.34 -0.55 -0 -0.18 -0.66 0.33 -1.7 -0.78 0.94 0.97 0.9 0.3 1.95 0.08 -0.09 -0.12 -0.1 -0.15 2 -1.48 -0.12 0.1 1.41 0.57 0.23 1.97 1.27 -1.58 1.33 0.13" --input="9xi32=2 -3 -7 -7 -5 4 3 8 0" --input="9xi32=1 1 4 1 5 3 5 4 5" --expected-output="6x5xf32=1.02 -0.43 1.21 1.63 0.7 -0.63 3.45 2.45 -0.1 -2.44 -2.49 -1.52 -1.4 -0.02 1.89 -0.17 -1.7 0.05 -1.38 3.19 -1.15 -0.57 -2.6 0.71 1.47 -2.1 0.39 2.01 -0.77 1.23" --expected-output="9xi32=1 -4 -11 -8 -10 1 -2 4 -5" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %c: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %d: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6x5xf32>, tensor<9xi32>) {
  %r0 = stablehlo.subtract %a, %b : tensor<6x5xf32>
  %r1 = stablehlo.subtract %c, %d : tensor<9xi32>
  return %r0, %r1 : tensor<6x5xf32>, tensor<9xi32>
}
