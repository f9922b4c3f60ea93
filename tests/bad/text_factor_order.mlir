// Factors of a sharding rule that are not declared in order are refused.
// RUN: shardopt %s
// EXIT: 1
func.func @f(%a: tensor<4xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {j=4}>} : tensor<4xf32>
  return
}
