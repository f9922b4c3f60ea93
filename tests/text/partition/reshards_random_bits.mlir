// Random bits are generated replicated: a device cannot generate a shard of them
// RUN: shardopt %s -shardrun-insert-reshards

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%arg0: tensor<2xui64>) -> (tensor<2xui64>, tensor<8x16xui32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %output_state, %output = stablehlo.rng_bit_generator %arg0, algorithm = THREE_FRY {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, [{"x"}, {}]>]>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8x16xui32>)
  return %output_state, %output : tensor<2xui64>, tensor<8x16xui32>
}
