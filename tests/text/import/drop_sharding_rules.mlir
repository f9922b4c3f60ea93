// sdy-drop-sharding-rules removes the rules that propagation added; the user's rules stay.
// RUN: shardopt %s -sdy-drop-sharding-rules
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : tensor<8xf32>
  %1 = stablehlo.custom_call @foo(%0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}, custom>} : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
