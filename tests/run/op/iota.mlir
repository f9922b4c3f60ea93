// iota counts along each dimension
// RUN: shardrun --interpret %s --input="6x5xf32=0.53 -0.46 1.71 0.45 1.1 -0.4 0.86 0.07 -1.01 -0.44 1.22 0.48 1.58 -1.65 -0.57 1.84 1.63 -0.34 1.48 1.13 -1.39 1.21 0.93 -1.6 -1.03 0.15 -1.78 1.24 -0.69 -1.37" --expected-output="6x5xf32=0.53 -0.46 1.71 0.45 1.1 0.6 1.86 1.07 -0.00999999 0.56 3.22 2.48 3.58 0.35 1.43 4.84 4.63 2.66 4.48 4.13 2.61 5.21 4.93 2.4 2.97 5.15 3.22 6.24 4.31 3.63" --expected-output="6x5xf32=0.53 0.54 3.71 3.45 5.1 -0.4 1.86 2.07 1.99 3.56 1.22 1.48 3.58 1.35 3.43 1.84 2.63 1.66 4.48 5.13 -1.39 2.21 2.93 1.4 2.97 0.15 -0.78 3.24 2.31 2.63" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x5xf32>, tensor<6x5xf32>) {
  %0 = stablehlo.iota dim = 0 : tensor<6x5xf32>
  %1 = stablehlo.iota dim = 1 : tensor<6x5xf32>
  %r0 = stablehlo.add %a, %0 : tensor<6x5xf32>
  %r1 = stablehlo.add %a, %1 : tensor<6x5xf32>
  return %r0, %r1 : tensor<6x5xf32>, tensor<6x5xf32>
}
