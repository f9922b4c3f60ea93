// stablehlo.shift_right_arithmetic of two operands gives the expected value for each element
// RUN: shardrun --interpret %s --input="9xi32=95 -56 73 99 66 -38 1 61 -88" --input="9xi32=6 27 29 2 11 13 22 22 33" --expected-output="9xi32=1 -1 0 24 0 -1 0 0 -1" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<9xi32>) {
  %r0 = stablehlo.shift_right_arithmetic %a, %b : tensor<9xi32>
  return %r0 : tensor<9xi32>
}
