// Padding of a reduced dimension gets the reducer's identity
// RUN: shardopt %s -shardrun-pad
sdy.mesh @mesh = <["x"=4]>
func.func @main(%arg0: tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<f32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %least = stablehlo.constant dense<-2147483648> : tensor<i32>
  %0 = stablehlo.reduce(%arg0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<10xf32>, tensor<f32>) -> tensor<f32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, []> : tensor<f32>
  %2 = stablehlo.reduce(%arg1 init: %least) applies stablehlo.maximum across dimensions = [0] : (tensor<10xi32>, tensor<i32>) -> tensor<i32>
  %3 = sdy.all_reduce max {"x"} %2 out_sharding=<@mesh, []> : tensor<i32>
  return %1, %3 : tensor<f32>, tensor<i32>
}
