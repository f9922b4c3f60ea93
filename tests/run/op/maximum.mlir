// stablehlo.maximum of two operands gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=-0.94 1.91 0.52 -0.27 0.94 0.98 -1.45 -0.68 -0.72 -1.5 1.9 1.3 -1.3 -0.62 0.95 0.49 -1.17 1.71 -1.05 -1.43 0.1 -1.61 0.86 0.85 -1.93 -1.39 -1.53 0.19 0.75 1.82" --input="6x5xf32=1.46 -1.25 -1.08 1.89 0.43 -1.32 0.51 1.12 -0.57 -1.28 -0.47 -1.73 -0.5 -1.14 0.39 1.56 0.7 -0.27 0.48 -0.37 0.99 -1.74 -1 -0.79 1.74 -1.68 -0.03 1.39 -1.11 1.33" --input="9xi32=-4 9 -7 3 5 -2 4 7 9" --input="9xi32=4 4 4 5 4 5 4 3 5" --input="6x3xi1=0 1 1 1 1 1 0 0 1 0 1 1 1 0 1 1 0 1" --input="6x3xi1=1 1 0 0 0 0 0 1 1 1 1 1 1 1 0 0 1 0" --expected-output="6x5xf32=1.46 1.91 0.52 1.89 0.94 0.98 0.51 1.12 -0.57 -1.28 1.9 1.3 -0.5 -0.62 0.95 1.56 0.7 1.71 0.48 -0.37 0.99 -1.61 0.86 0.85 1.74 -1.39 -0.03 1.39 0.75 1.82" --expected-output="9xi32=4 9 4 5 5 5 4 7 9" --expected-output="6x3xi1=1 1 1 1 1 1 0 1 1 1 1 1 1 1 1 1 1 1" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %c: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %d: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %e: tensor<6x3xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %f: tensor<6x3xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x5xf32>, tensor<9xi32>, tensor<6x3xi1>) {
  %r0 = stablehlo.maximum %a, %b : tensor<6x5xf32>
  %r1 = stablehlo.maximum %c, %d : tensor<9xi32>
  %r2 = stablehlo.maximum %e, %f : tensor<6x3xi1>
  return %r0, %r1, %r2 : tensor<6x5xf32>, tensor<9xi32>, tensor<6x3xi1>
}
