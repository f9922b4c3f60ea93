// stablehlo.shift_left of two operands gives the expected value for each element
// RUN: shardrun --interpret %s --input="9xi32=-85 -57 -75 -54 -74 -47 41 -96 -86" --input="9xi32=23 13 30 29 18 18 30 29 5" --expected-output="9xi32=-713031680 -466944 1073741824 1073741824 -19398656 -12320768 1073741824 0 -2752" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<9xi32>) {
  %r0 = stablehlo.shift_left %a, %b : tensor<9xi32>
  return %r0 : tensor<9xi32>
}
