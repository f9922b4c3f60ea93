// stablehlo.shift_right_logical of two operands gives the expected value for each element
// RUN: shardrun --interpret %s --input="9xi32=23 -91 -77 19 -33 42 -37 -51 74" --input="9xi32=13 8 14 18 5 23 17 17 33" --expected-output="9xi32=0 16777215 262143 0 134217726 0 32767 32767 0" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<9xi32>) {
  %r0 = stablehlo.shift_right_logical %a, %b : tensor<9xi32>
  return %r0 : tensor<9xi32>
}
