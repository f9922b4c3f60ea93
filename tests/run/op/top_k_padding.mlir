// top_k of a sharded row never returns padding, even if that is larger than the elements
// RUN: shardrun --interpret %s --input="3x11xi32=-4 3 2 -5 -2 8 3 1 4 3 -7 3 -9 8 7 1 -3 2 -4 -4 5 1 2 7 2 1 -1 4 7 -5 -4 4 -5" --expected-output="3x2xi32=99 96 99 99 99 99" --expected-output="3x2xi32=7 2 4 10 3 4" >/dev/null
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<3x11xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<3x2xi32>, tensor<3x2xi32>) {
  %hundred = stablehlo.constant dense<100> : tensor<3x11xi32>
  %square = stablehlo.multiply %a, %a : tensor<3x11xi32>
  %v = stablehlo.subtract %hundred, %square : tensor<3x11xi32>
  %r0, %r1 = chlo.top_k(%v, k = 2) : tensor<3x11xi32> -> (tensor<3x2xi32>, tensor<3x2xi32>)
  return %r0, %r1 : tensor<3x2xi32>, tensor<3x2xi32>
}
