// The state of an rng_bit_generator is replicated and not propagated; the random bits may have any sharding
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<4x1000xui32>) {
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x1000xui32>)
  return %0, %1 : tensor<2xui64>, tensor<4x1000xui32>
}
