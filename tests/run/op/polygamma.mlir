// chlo.polygamma of two operands gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2" --input="6x5xf32=2.37 2.92 2.19 2.76 1.85 0.68 2.08 2.35 1.3 2.08 1.17 2.44 2.26 0.66 2.96 0.55 0.73 1.32 0.59 1.39 1.04 2.52 0.92 2.75 2.82 0.99 2.32 1.78 1.11 2.5" --expected-output="6x5xf32=-0.2681919 -0.1640833 -0.3241721 -0.1871186 -0.4894872 -6.982946 -0.367267 -0.2736754 -1.198463 -0.367267 -1.580175 -0.2502248 -0.3005199 -7.597878 -0.1589827 -12.7835 -5.719403 -1.151794 -10.45291 -1.007576 -2.163038 -0.231788 -3.015077 -0.1887147 -0.1779492 -2.470319 -0.2822163 -0.5386115 -1.817098 -0.2362041" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x5xf32>) {
  %r0 = chlo.polygamma %a, %b : tensor<6x5xf32>, tensor<6x5xf32> -> tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
