// stablehlo.xor of two operands gives the expected value for each element
// RUN: shardrun --interpret %s --input="9xi32=43 -67 96 -5 62 86 -69 47 40" --input="9xi32=-68 8 55 7 21 -57 32 6 -13" --input="6x3xi1=0 0 0 1 0 0 0 1 0 1 1 1 1 1 1 0 1 0" --input="6x3xi1=1 1 0 0 0 0 1 0 1 0 1 0 1 0 0 0 0 0" --expected-output="9xi32=-105 -75 87 -4 43 -111 -101 41 -37" --expected-output="6x3xi1=1 1 0 1 0 0 1 1 1 1 0 1 0 1 1 0 1 0" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %c: tensor<6x3xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %d: tensor<6x3xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<9xi32>, tensor<6x3xi1>) {
  %r0 = stablehlo.xor %a, %b : tensor<9xi32>
  %r1 = stablehlo.xor %c, %d : tensor<6x3xi1>
  return %r0, %r1 : tensor<9xi32>, tensor<6x3xi1>
}
