// chlo.constant gives its elements
// RUN: shardrun --interpret %s --input="5xf32=-0.47 1.54 -0.86 0.81 -1.79" --expected-output="5xf32=0.53 3.54 2.14 4.81 3.21" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<5xf32>) {
  %c = chlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %r0 = stablehlo.add %a, %c : tensor<5xf32>
  return %r0 : tensor<5xf32>
}
