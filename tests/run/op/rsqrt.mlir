// stablehlo.rsqrt gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=0.75 2.55 1.62 1.33 1.34 2.1 0.4 0.83 2.31 0.51 0.2 1.12 0.27 2.29 0.96 0.13 0.2 1.91 0.47 0.81 1.05 1.85 2.52 0.15 2.16 2.25 1.13 2.67 2.68 0.91" --expected-output="6x5xf32=1.154701 0.6262243 0.7856742 0.86711 0.8638684 0.6900656 1.581139 1.097643 0.6579517 1.40028 2.236068 0.9449112 1.924501 0.6608186 1.020621 2.773501 2.236068 0.7235746 1.45865 1.111111 0.9759001 0.7352147 0.6299408 2.581989 0.6804138 0.6666667 0.9407209 0.61199 0.6108472 1.048285" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x5xf32>) {
  %r0 = stablehlo.rsqrt %a : tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
