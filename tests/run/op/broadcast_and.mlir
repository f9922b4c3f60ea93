// chlo.broadcast_and gives the expected values for operands of different rank
// RUN: shardrun --interpret %s --input="6x5xi32=24 -15 81 10 -21 73 -16 28 -45 5 -8 48 32 -95 10 55 31 20 -9 -96 -75 48 -43 -99 -62 89 45 30 -44 30" --input="5xi32=2 -28 4 -68 0" --expected-output="6x5xi32=0 -32 0 8 0 0 -32 4 -112 0 0 32 0 -96 0 2 4 4 -76 0 0 32 4 -100 0 0 36 4 -108 0" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5xi32>) -> (tensor<6x5xi32>) {
  %r0 = chlo.broadcast_and %a, %b : (tensor<6x5xi32>, tensor<5xi32>) -> tensor<6x5xi32>
  return %r0 : tensor<6x5xi32>
}
