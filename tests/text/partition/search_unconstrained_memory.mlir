// With unconstrained arguments: if products are fast compared with memory, dividing the written data is worth a collective
// RUN: printf 'product_f32_flops_per_s = 1e14\nmemory_bytes_per_s = 1e12\nnode_bytes_per_s = 5e10\n' >%t/machine.txt && shardopt --machine=%t/machine.txt -shardrun-auto-shard %s
module @step attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["data"=8]>
  func.func @main(%x: tensor<1024x1024xf32>) -> tensor<f32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.tanh %x : tensor<1024x1024xf32>
    %1 = stablehlo.sine %0 : tensor<1024x1024xf32>
    %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<1024x1024xf32>, tensor<f32>) -> tensor<f32>
    return %2 : tensor<f32>
  }
}
