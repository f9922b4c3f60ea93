// stablehlo.is_finite gives the expected value for each element
// RUN: shardrun --interpret %s --input="6xf32=1 inf -inf nan 0 -3" --expected-output="6xi1=1 0 0 0 1 1" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6xi1>) {
  %r0 = stablehlo.is_finite %a : (tensor<6xf32>) -> tensor<6xi1>
  return %r0 : tensor<6xi1>
}
