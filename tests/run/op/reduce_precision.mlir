// reduce_precision rounds to fewer bits of exponent and mantissa
// RUN: shardrun --interpret %s --input="6x5xf32=-0.21 -0.88 -0.71 0.24 1.94 0.72 1.99 0.67 0.39 1.68 -0 0.56 -1.22 -0.5 -0.81 1.67 -0.28 -0.63 1.96 0.74 0.67 1.59 -0.28 0.96 -1.3 0.18 -1.77 0.91 -0.94 -1.45" --expected-output="6x5xf32=-0.21875 -0.875 -0.75 0.25 2 0.75 2 0.625 0.375 1.75 -0 0.5 -1.25 -0.5 -0.75 1.75 -0.25 -0.625 2 0.75 0.625 1.5 -0.25 1 -1.25 0.1875 -1.75 0.875 -1 -1.5" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x5xf32>) {
  %r0 = stablehlo.reduce_precision %a, format = e5m2 : tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
