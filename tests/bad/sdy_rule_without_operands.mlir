// A sharding rule without operands is refused.
// RUN: shardopt %s
// EXIT: 1
func.func @f() {
  %0 = stablehlo.custom_call @foo() {sdy.sharding_rule = #sdy.op_sharding_rule<()->([i]) {i=4}>} : () -> tensor<4xf32>
  return
}
