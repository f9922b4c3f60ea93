// chlo.broadcast_xor gives the expected values for operands of different rank
// RUN: shardrun --interpret %s --input="6x5xi32=24 -58 9 -15 -19 -2 -97 -8 93 -49 47 -94 -92 91 -84 -19 -93 32 77 -85 -24 90 18 49 35 3 75 26 -55 85" --input="5xi32=83 91 -41 23 78" --expected-output="6x5xi32=75 -99 -34 -26 -93 -83 -60 47 74 -127 124 -7 115 76 -30 -66 -8 -9 90 -27 -69 1 -59 38 109 80 16 -51 -34 27" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5xi32>) -> (tensor<6x5xi32>) {
  %r0 = chlo.broadcast_xor %a, %b : (tensor<6x5xi32>, tensor<5xi32>) -> tensor<6x5xi32>
  return %r0 : tensor<6x5xi32>
}
