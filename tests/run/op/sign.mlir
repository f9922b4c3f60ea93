// stablehlo.sign gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=0.49 -1.4 -1.51 1.78 0.52 1.39 0.77 -0.57 -0.66 0.4 -0.82 -1.73 -1.57 0.65 -0.67 1.54 -1.48 1.88 2 -1.14 -0.29 0.45 -2 -0.26 0.44 0.66 0.85 0.35 1.77 1.63" --input="9xi32=0 0 1 -2 2 -1 1 0 0" --expected-output="6x5xf32=1 -1 -1 1 1 1 1 -1 -1 1 -1 -1 -1 1 -1 1 -1 1 1 -1 -1 1 -1 -1 1 1 1 1 1 1" --expected-output="9xi32=0 0 1 -1 1 -1 1 0 0" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6x5xf32>, tensor<9xi32>) {
  %r0 = stablehlo.sign %a : tensor<6x5xf32>
  %r1 = stablehlo.sign %b : tensor<9xi32>
  return %r0, %r1 : tensor<6x5xf32>, tensor<9xi32>
}
