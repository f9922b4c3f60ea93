// stablehlo.multiply of two operands gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=0.16 0.77 -1.67 1.81 0.66 1.71 1.6 -1.66 -0.12 -1.25 1.28 -1.58 -1.84 0.75 -1.78 1.9 -1.96 -0.79 0.6 -0.37 -0.99 -1.83 -0.63 -0.36 -0.59 -1.05 -1.62 -0.73 1.24 -1.09" --input="6x5xf32=0.31 0.34 1.16 1.43 -1.61 -0.49 1.68 1.99 0.98 1.32 -0.09 -0.85 0.55 0.6 -0.12 -0.6 -0.8 0.58 -1.58 -0.91 -0.2 0.21 0.16 -1.93 0.97 0.15 -0.17 -1.53 1.12 0.37" --input="9xi32=-9 -3 -6 6 6 2 6 -1 -6" --input="9xi32=2 5 4 2 4 5 5 2 5" --input="6x3xi1=0 0 0 1 1 1 1 0 1 1 0 1 0 0 0 1 1 1" --input="6x3xi1=1 0 0 1 0 1 0 1 0 1 0 1 1 1 0 0 0 1" --expected-output="6x5xf32=0.0496 0.2618 -1.9372 2.5883 -1.0626 -0.8379 2.688 -3.3034 -0.1176 -1.65 -0.1152 1.343 -1.012 0.45 0.2136 -1.14 1.568 -0.4582 -0.9480001 0.3367 0.198 -0.3843 -0.1008 0.6948 -0.5723 -0.1575 0.2754 1.1169 1.3888 -0.4033" --expected-output="9xi32=-18 -15 -24 12 24 10 30 -2 -30" --expected-output="6x3xi1=0 0 0 1 0 1 0 0 0 1 0 1 0 0 0 0 0 1" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %c: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %d: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %e: tensor<6x3xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %f: tensor<6x3xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x5xf32>, tensor<9xi32>, tensor<6x3xi1>) {
  %r0 = stablehlo.multiply %a, %b : tensor<6x5xf32>
  %r1 = stablehlo.multiply %c, %d : tensor<9xi32>
  %r2 = stablehlo.multiply %e, %f : tensor<6x3xi1>
  return %r0, %r1, %r2 : tensor<6x5xf32>, tensor<9xi32>, tensor<6x3xi1>
}
