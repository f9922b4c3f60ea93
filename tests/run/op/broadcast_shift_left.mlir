// chlo.broadcast_shift_left gives the expected values for operands of different rank
// RUN: shardrun --interpret %s --input="6x5xi32=-7 -70 -3 -77 93 77 -79 17 -9 13 -9 39 -40 -35 93 -91 -53 49 -38 -32 94 -22 60 27 -26 -25 -44 -75 59 -65" --input="5xi32=15 1 12 13 10" --expected-output="6x5xi32=-229376 -140 -12288 -630784 95232 2523136 -158 69632 -73728 13312 -294912 78 -163840 -286720 95232 -2981888 -106 200704 -311296 -32768 3080192 -44 245760 221184 -26624 -819200 -88 -307200 483328 -66560" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5xi32>) -> (tensor<6x5xi32>) {
  %r0 = chlo.broadcast_shift_left %a, %b : (tensor<6x5xi32>, tensor<5xi32>) -> tensor<6x5xi32>
  return %r0 : tensor<6x5xi32>
}
