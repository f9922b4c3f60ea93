// stablehlo.ceil gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=1.82 2 -0.06 -1.83 1.68 1.08 0.75 -0.1 -0.82 -0.9 -0.96 1 -0.78 -1.77 0.89 0.96 -1.17 -1 -0.23 -1.82 -0.62 0.61 0.76 0.75 0.34 -1.53 1.11 -1.55 -1.54 1.73" --input="8xf32=-2.5 -1.5 -0.5 0.5 1.5 2.5 0 3.2" --expected-output="6x5xf32=2 2 -0 -1 2 2 1 -0 -0 -0 -0 1 -0 -1 1 1 -1 -1 -0 -1 -0 1 1 1 1 -1 2 -1 -1 2" --expected-output="8xf32=-2 -1 -0 1 2 3 0 4" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6x5xf32>, tensor<8xf32>) {
  %r0 = stablehlo.ceil %a : tensor<6x5xf32>
  %r1 = stablehlo.ceil %b : tensor<8xf32>
  return %r0, %r1 : tensor<6x5xf32>, tensor<8xf32>
}
