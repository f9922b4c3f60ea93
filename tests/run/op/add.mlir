// stablehlo.add of two operands gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=1.33 -0.9 1.04 0.29 -0.1 0.18 1.11 -1.25 -1.54 0.05 -0.62 -1.86 -1.43 -0.65 -0.67 1.23 0.62 -0.21 -0.38 0.94 1.84 0.15 1.46 0.16 -1.31 -1.9 1.98 0.51 -1.08 1.11" --input="6x5xf32=0.18 -1.06 0.57 -0.31 1.64 0.36 -1.58 1.32 1.93 1.85 1.9 1.22 -0.62 0.26 0.84 2 1.53 1.75 -0.9 0.88 -1.43 -1.9 -0.18 0.13 0.72 0.91 1.25 0.78 0.93 -1.03" --input="9xi32=-1 -2 6 0 9 -8 -9 -1 -8" --input="9xi32=3 1 5 1 5 2 4 1 3" --input="6x3xi1=1 1 1 0 1 0 1 1 1 0 0 0 1 0 0 1 0 0" --input="6x3xi1=1 0 1 0 0 1 0 1 0 0 1 1 1 1 1 0 0 1" --expected-output="6x5xf32=1.51 -1.96 1.61 -0.02000001 1.54 0.54 -0.47 0.07000005 0.39 1.9 1.28 -0.64 -2.05 -0.39 0.17 3.23 2.15 1.54 -1.28 1.82 0.4100001 -1.75 1.28 0.29 -0.5899999 -0.9899999 3.23 1.29 -0.15 0.08000004" --expected-output="9xi32=2 -1 11 1 14 -6 -5 0 -5" --expected-output="6x3xi1=1 1 1 0 1 1 1 1 1 0 1 1 1 1 1 1 0 1" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %c: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %d: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %e: tensor<6x3xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %f: tensor<6x3xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x5xf32>, tensor<9xi32>, tensor<6x3xi1>) {
  %r0 = stablehlo.add %a, %b : tensor<6x5xf32>
  %r1 = stablehlo.add %c, %d : tensor<9xi32>
  %r2 = stablehlo.add %e, %f : tensor<6x3xi1>
  return %r0, %r1, %r2 : tensor<6x5xf32>, tensor<9xi32>, tensor<6x3xi1>
}
