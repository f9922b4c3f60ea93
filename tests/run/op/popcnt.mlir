// stablehlo.popcnt gives the expected value for each element
// RUN: shardrun --interpret %s --input="9xi32=38 26 -26 -14 -83 10 -64 -94 18" --expected-output="9xi32=3 3 29 29 29 2 26 27 2" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<9xi32>) {
  %r0 = stablehlo.popcnt %a : tensor<9xi32>
  return %r0 : tensor<9xi32>
}
