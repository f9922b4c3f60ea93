// stablehlo.or of two operands gives the expected value for each element
// RUN: shardrun --interpret %s --input="9xi32=-1 -83 8 -43 5 -99 14 -71 -65" --input="9xi32=-73 82 88 12 73 21 -71 5 -43" --input="6x3xi1=0 0 1 1 0 1 1 1 1 1 0 1 1 0 0 0 0 1" --input="6x3xi1=1 1 0 0 0 0 0 1 1 1 0 1 1 1 0 1 0 0" --expected-output="9xi32=-1 -1 88 -35 77 -99 -65 -67 -1" --expected-output="6x3xi1=1 1 1 1 0 1 1 1 1 1 0 1 1 1 0 1 0 1" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %c: tensor<6x3xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %d: tensor<6x3xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<9xi32>, tensor<6x3xi1>) {
  %r0 = stablehlo.or %a, %b : tensor<9xi32>
  %r1 = stablehlo.or %c, %d : tensor<6x3xi1>
  return %r0, %r1 : tensor<9xi32>, tensor<6x3xi1>
}
