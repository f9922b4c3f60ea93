// stablehlo.minimum of two operands gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=-1.72 1.02 -1.2 -1.88 1.52 0.63 -1.4 1.73 1.09 -0.43 -0.9 -0.87 -1.01 1.15 -0.43 0.63 -0.88 -1.82 1.41 -1.43 -1.87 0.43 -1.76 0.32 0.05 -1.29 -1.1 0.93 1.5 1.29" --input="6x5xf32=1.02 -1.32 -0.59 0.57 -0.88 1.58 1.27 -0.51 -0.88 -1.92 0.36 0.28 0.34 -1.88 -0.76 -0.3 -1.3 -0.22 1.41 -0.24 1.56 -0.83 1.06 -1.93 1.71 0.38 0.01 0.54 -1.75 -1.23" --input="9xi32=-5 -5 8 -9 1 -4 4 -2 1" --input="9xi32=5 4 4 2 2 3 2 1 1" --input="6x3xi1=1 0 0 1 1 1 1 0 1 0 0 1 0 0 1 0 1 1" --input="6x3xi1=0 0 0 0 1 0 1 1 1 1 0 1 1 0 1 1 0 1" --expected-output="6x5xf32=-1.72 -1.32 -1.2 -1.88 -0.88 0.63 -1.4 -0.51 -0.88 -1.92 -0.9 -0.87 -1.01 -1.88 -0.76 -0.3 -1.3 -1.82 1.41 -1.43 -1.87 -0.83 -1.76 -1.93 0.05 -1.29 -1.1 0.54 -1.75 -1.23" --expected-output="9xi32=-5 -5 4 -9 1 -4 2 -2 1" --expected-output="6x3xi1=0 0 0 0 1 0 1 0 1 0 0 1 0 0 1 0 0 1" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %c: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %d: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %e: tensor<6x3xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %f: tensor<6x3xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x5xf32>, tensor<9xi32>, tensor<6x3xi1>) {
  %r0 = stablehlo.minimum %a, %b : tensor<6x5xf32>
  %r1 = stablehlo.minimum %c, %d : tensor<9xi32>
  %r2 = stablehlo.minimum %e, %f : tensor<6x3xi1>
  return %r0, %r1, %r2 : tensor<6x5xf32>, tensor<9xi32>, tensor<6x3xi1>
}
