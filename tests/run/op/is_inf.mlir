// chlo.is_inf, is_pos_inf and is_neg_inf give the expected value for each element
// RUN: shardrun --interpret %s --input="6xf32=1 inf -inf nan 0 -3" --expected-output="6xi1=0 1 1 0 0 0" --expected-output="6xi1=0 0 1 0 0 0" --expected-output="6xi1=0 1 0 0 0 0" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6xi1>, tensor<6xi1>, tensor<6xi1>) {
  %r0 = chlo.is_inf %a : tensor<6xf32> -> tensor<6xi1>
  %r1 = chlo.is_neg_inf %a : tensor<6xf32> -> tensor<6xi1>
  %r2 = chlo.is_pos_inf %a : tensor<6xf32> -> tensor<6xi1>
  return %r0, %r1, %r2 : tensor<6xi1>, tensor<6xi1>, tensor<6xi1>
}
