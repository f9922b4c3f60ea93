// stablehlo.floor gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=1.58 0.38 0.39 -0.28 1.53 1.79 -0.23 -0.17 -0.47 -1 0.78 1.26 0.48 -0.27 -1.57 1.81 0.3 -0.94 -1.09 -0.68 0.25 0.04 0.42 -0.12 -1.48 -0.05 -1.19 -1.97 -1.73 -1.66" --input="8xf32=-2.5 -1.5 -0.5 0.5 1.5 2.5 0 3.2" --expected-output="6x5xf32=1 0 0 -1 1 1 -1 -1 -1 -1 0 1 0 -1 -2 1 0 -1 -2 -1 0 0 0 -1 -2 -1 -2 -2 -2 -2" --expected-output="8xf32=-3 -2 -1 0 1 2 0 3" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6x5xf32>, tensor<8xf32>) {
  %r0 = stablehlo.floor %a : tensor<6x5xf32>
  %r1 = stablehlo.floor %b : tensor<8xf32>
  return %r0, %r1 : tensor<6x5xf32>, tensor<8xf32>
}
