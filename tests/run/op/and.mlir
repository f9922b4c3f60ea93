// stablehlo.and of two operands gives the expected value for each element
// RUN: shardrun --interpret %s --input="9xi32=9 46 10 65 36 61 95 22 -34" --input="9xi32=73 -25 -79 -79 55 6 -71 50 -89" --input="6x3xi1=1 0 0 1 1 0 1 0 0 1 1 1 0 1 1 1 0 0" --input="6x3xi1=0 1 0 0 0 0 0 1 0 1 1 0 1 1 0 0 0 0" --expected-output="9xi32=9 38 0 1 36 4 25 18 -122" --expected-output="6x3xi1=0 0 0 0 0 0 0 0 0 1 1 0 0 1 0 0 0 0" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %c: tensor<6x3xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %d: tensor<6x3xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<9xi32>, tensor<6x3xi1>) {
  %r0 = stablehlo.and %a, %b : tensor<9xi32>
  %r1 = stablehlo.and %c, %d : tensor<6x3xi1>
  return %r0, %r1 : tensor<9xi32>, tensor<6x3xi1>
}
