// compare gives the expected values for each kind and direction
// RUN: shardrun --interpret %s --input="9xi32=2 2 1 0 -2 1 2 0 1" --input="9xi32=-1 1 -2 -2 2 1 -1 1 -1" --input="6xf32=0 -0 nan 1 2 3" --input="6xf32=-0 0 nan 2 2 2" --expected-output="9xi1=0 0 0 0 0 1 0 0 0" --expected-output="9xi1=0 0 0 0 1 0 0 1 0" --expected-output="9xi1=1 1 1 1 0 1 1 0 1" --expected-output="6xi1=0 0 1 1 0 1" --expected-output="6xi1=0 1 1 1 1 0" --expected-output="6xi1=0 0 0 0 0 1" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %c: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %d: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>) {
  %r0 = stablehlo.compare EQ, %a, %b : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
  %r1 = stablehlo.compare LT, %a, %b : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
  %r2 = stablehlo.compare GE, %a, %b : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
  %r3 = stablehlo.compare NE, %c, %d : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %r4 = stablehlo.compare LE, %c, %d, TOTALORDER : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %r5 = stablehlo.compare GT, %c, %d : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  return %r0, %r1, %r2, %r3, %r4, %r5 : tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>
}
