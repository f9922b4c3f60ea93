// chlo.broadcast_shift_right_arithmetic gives the expected values for operands of different rank
// RUN: shardrun --interpret %s --input="6x5xi32=-56 81 2 -58 22 76 95 16 -87 2 -98 -83 -62 35 14 -29 -64 -82 -82 -91 -11 15 -98 41 82 84 69 48 -65 -16" --input="5xi32=7 3 13 12 17" --expected-output="6x5xi32=-1 10 0 -1 0 0 11 0 -1 0 -1 -11 -1 0 0 -1 -8 -1 -1 -1 -1 1 -1 0 0 0 8 0 -1 -1" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5xi32>) -> (tensor<6x5xi32>) {
  %r0 = chlo.broadcast_shift_right_arithmetic %a, %b : (tensor<6x5xi32>, tensor<5xi32>) -> tensor<6x5xi32>
  return %r0 : tensor<6x5xi32>
}
