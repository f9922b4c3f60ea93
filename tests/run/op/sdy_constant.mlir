// sdy.constant is executed like stablehlo.constant
// RUN: shardrun --interpret %s --input="3xf32=1 1 1" --expected-output="3xf32=2 3 4" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<3xf32>) {
  %c = sdy.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %r = stablehlo.add %a, %c : tensor<3xf32>
  return %r : tensor<3xf32>
}
