// stablehlo.round_nearest_afz gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=-1.98 0.04 0.16 0.61 1.77 1.88 -1.71 1.73 -0.37 -0.8 -0.58 -0.65 -1.94 1.02 -0.88 -0.23 -1.6 0.02 -1.85 1.1 1.8 1.36 -0.58 0.79 0.79 0.64 -0.38 -1.1 1.03 -0.23" --input="8xf32=-2.5 -1.5 -0.5 0.5 1.5 2.5 0 3.2" --expected-output="6x5xf32=-2 0 0 1 2 2 -2 2 -0 -1 -1 -1 -2 1 -1 -0 -2 0 -2 1 2 1 -1 1 1 1 -0 -1 1 -0" --expected-output="8xf32=-3 -2 -1 1 2 3 0 3" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6x5xf32>, tensor<8xf32>) {
  %r0 = stablehlo.round_nearest_afz %a : tensor<6x5xf32>
  %r1 = stablehlo.round_nearest_afz %b : tensor<8xf32>
  return %r0, %r1 : tensor<6x5xf32>, tensor<8xf32>
}
