// An init value that is not the identity is applied once, after the all_reduce
// RUN: shardopt %s -shardrun-pad
sdy.mesh @mesh = <["x"=4]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<f32> {
  %three = stablehlo.constant dense<3.0> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %three) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, []> : tensor<f32>
  return %1 : tensor<f32>
}
