// stablehlo.round_nearest_even gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=0.77 -1.59 1.43 -1.13 1.1 1.73 1.95 -0.01 -1.68 1.78 -1.47 1.17 -1.14 1.43 -1.94 -1.78 -1.82 -1 1.67 -0.32 -0.05 -1.79 -1.84 -1.88 0.94 1.81 -1.56 -1.44 0.42 0.54" --input="8xf32=-2.5 -1.5 -0.5 0.5 1.5 2.5 0 3.2" --expected-output="6x5xf32=1 -2 1 -1 1 2 2 -0 -2 2 -1 1 -1 1 -2 -2 -2 -1 2 -0 -0 -2 -2 -2 1 2 -2 -1 0 1" --expected-output="8xf32=-2 -2 -0 0 2 2 0 3" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6x5xf32>, tensor<8xf32>) {
  %r0 = stablehlo.round_nearest_even %a : tensor<6x5xf32>
  %r1 = stablehlo.round_nearest_even %b : tensor<8xf32>
  return %r0, %r1 : tensor<6x5xf32>, tensor<8xf32>
}
