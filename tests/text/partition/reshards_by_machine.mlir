// On a machine with slow cores and fast links, sharding computation is worth more bytes on the wire than on the default machine
// RUN: printf 'product_f32_flops_per_s = 1e3 # slow\n' >%t/machine.txt && shardopt --machine=%t/machine.txt -shardrun-insert-reshards %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%arg0: tensor<10x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<30xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<10x3xf32>) -> tensor<30xf32>
  return %0 : tensor<30xf32>
}
