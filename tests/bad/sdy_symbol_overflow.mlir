// A factor symbol whose number exceeds 64 bits is refused.
// RUN: shardopt %s
// EXIT: 1
func.func @f(%a: tensor<4xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding_rule = #sdy.op_sharding_rule<([z_9223372036854775808])->([i]) {i=4}>} : tensor<4xf32>
  return
}
