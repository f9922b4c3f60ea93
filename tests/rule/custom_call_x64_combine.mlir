// X64Combine: the state of a random generator is not sharded, other values are
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @state(%a: tensor<2xui32>) -> tensor<4xui32> {
  %0 = stablehlo.custom_call @X64Combine(%a, %a) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui64>
  %1, %2 = stablehlo.rng_bit_generator %0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return %2 : tensor<4xui32>
}
func.func @other(%a: tensor<2xui32>) -> tensor<2xui64> {
  %0 = stablehlo.custom_call @X64Combine(%a, %a) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui64>
  return %0 : tensor<2xui64>
}
