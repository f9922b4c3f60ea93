// A sum over the shards that a loop accumulates is reduced once, after the loop
// RUN: shardopt %s -shardrun-partition
sdy.mesh @mesh = <["x"=8]>
func.func @main(%x: tensor<1024x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<f32>, tensor<1024x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<16> : tensor<i32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r:3 = stablehlo.while(%i = %c0, %g = %z, %m = %x) : tensor<i32>, tensor<f32>, tensor<1024x64xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %t = stablehlo.tanh %m : tensor<1024x64xf32>
    %d = stablehlo.reduce(%t init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<1024x64xf32>, tensor<f32>) -> tensor<f32>
    %g2 = stablehlo.add %g, %d : tensor<f32>
    %j = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %j, %g2, %t : tensor<i32>, tensor<f32>, tensor<1024x64xf32>
  }
  return %r#1, %r#2 : tensor<f32>, tensor<1024x64xf32>
}
