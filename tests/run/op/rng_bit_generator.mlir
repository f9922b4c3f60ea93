// rng_bit_generator makes random bits from a counter, sharded
// RUN: shardrun --interpret %s --input="2xui64=5 9" --expected-output="2xui64=10 48" --expected-output="6x5xui32=490729614 1167916397 4269099048 3154775859 1645683092 2690380501 3737883997 324752772 3365632953 3668505833 3250553948 1045522835 600984185 1816557530 2007402477 927088469 1516250702 1842420724 2590565650 2133094629 1570814263 2385964474 3646408402 1926373835 3852420912 4040904509 1970086471 2192451563 977324210 1724962641" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<2xui64>) -> (tensor<2xui64>, tensor<6x5xui32>) {
  %s, %b = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<6x5xui32>)
  %r0 = stablehlo.add %s, %s : tensor<2xui64>
  %r1 = stablehlo.not %b : tensor<6x5xui32>
  return %r0, %r1 : tensor<2xui64>, tensor<6x5xui32>
}
