// chlo.broadcast_shift_right_logical gives the expected values for operands of different rank
// RUN: shardrun --interpret %s --input="6x5xi32=-1 30 -28 -68 -93 76 70 98 68 78 86 -81 40 33 -38 -33 52 63 -1 -14 -38 -77 -97 21 16 5 22 96 31 36" --input="5xi32=5 7 16 8 0" --expected-output="6x5xi32=134217727 0 65535 16777215 -93 2 0 0 0 78 2 33554431 0 0 -38 134217726 0 0 16777215 -14 134217726 33554431 65535 0 16 0 0 0 0 36" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5xi32>) -> (tensor<6x5xi32>) {
  %r0 = chlo.broadcast_shift_right_logical %a, %b : (tensor<6x5xi32>, tensor<5xi32>) -> tensor<6x5xi32>
  return %r0 : tensor<6x5xi32>
}
