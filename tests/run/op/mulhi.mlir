// chlo.mulhi: the high half of each product
// RUN: shardrun --interpret %s --input="9xi32=1989368162 1094809266 227706199 -861139109 -762588730 -897978264 -430976903 -218887076 -920753994" --input="9xi32=1506676306 -150611233 1018099455 -265331536 1799300385 -582939587 1115405860 -1853811467 1271732541" --expected-output="9xi32=697871175 -38391579 53976559 53198859 -319473026 121879176 -111924989 94476940 -272633698" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<9xi32>) {
  %r0 = chlo.mulhi %a, %b : tensor<9xi32>, tensor<9xi32> -> tensor<9xi32>
  return %r0 : tensor<9xi32>
}
