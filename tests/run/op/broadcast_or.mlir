// chlo.broadcast_or gives the expected values for operands of different rank
// RUN: shardrun --interpret %s --input="6x5xi32=72 -90 97 98 9 77 -19 28 14 80 -42 32 -98 95 -64 -28 51 -12 -57 -74 71 -75 92 92 43 -13 -68 -30 77 92" --input="5xi32=60 98 -31 -24 66" --expected-output="6x5xi32=124 -26 -31 -22 75 125 -17 -3 -18 82 -2 98 -1 -1 -62 -4 115 -11 -17 -10 127 -9 -3 -4 107 -1 -2 -29 -19 94" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5xi32>) -> (tensor<6x5xi32>) {
  %r0 = chlo.broadcast_or %a, %b : (tensor<6x5xi32>, tensor<5xi32>) -> tensor<6x5xi32>
  return %r0 : tensor<6x5xi32>
}
