// stablehlo.count_leading_zeros gives the expected value for each element
// RUN: shardrun --interpret %s --input="9xi32=98 -1 -52 91 -80 -100 78 -32 16" --expected-output="9xi32=25 0 0 25 0 0 25 0 27" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<9xi32>) {
  %r0 = stablehlo.count_leading_zeros %a : tensor<9xi32>
  return %r0 : tensor<9xi32>
}
