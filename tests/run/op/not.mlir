// stablehlo.not gives the expected value for each element
// RUN: shardrun --interpret %s --input="9xi32=2 2 1 2 -1 1 -2 2 0" --input="6x3xi1=1 1 0 1 1 0 0 0 0 0 1 1 1 0 0 1 0 0" --expected-output="9xi32=-3 -3 -2 -3 0 -2 1 -3 -1" --expected-output="6x3xi1=0 0 1 0 0 1 1 1 1 1 0 0 0 1 1 0 1 1" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<6x3xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<9xi32>, tensor<6x3xi1>) {
  %r0 = stablehlo.not %a : tensor<9xi32>
  %r1 = stablehlo.not %b : tensor<6x3xi1>
  return %r0, %r1 : tensor<9xi32>, tensor<6x3xi1>
}
