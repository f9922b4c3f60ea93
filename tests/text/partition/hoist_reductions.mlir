// A sum that a loop accumulates from zero is reduced after the loop; not one with another reader, or another initial value
// RUN: shardopt %s -shardrun-hoist-reductions

sdy.mesh @mesh = <["x"=4]>

func.func @sum(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_0 = stablehlo.constant dense<1> : tensor<i32>
  %c_1 = stablehlo.constant dense<6> : tensor<i32>
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %1:4 = stablehlo.while(%i = %c, %s = %0, %from = %arg1, %read = %0) : tensor<i32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}]>]>}
  cond {
    %2 = stablehlo.compare LT, %i, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %2 = stablehlo.multiply %read, %arg0 : tensor<8xf32>
    %3 = sdy.all_reduce {"x"} %2 out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %4 = stablehlo.add %s, %3 : tensor<8xf32>
    %5 = stablehlo.cosine %arg0 : tensor<8xf32>
    %6 = sdy.all_reduce {"x"} %5 out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %7 = stablehlo.add %6, %from : tensor<8xf32>
    %8 = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %9 = stablehlo.add %8, %read : tensor<8xf32>
    %10 = stablehlo.add %i, %c_0 : tensor<i32>
    stablehlo.return %10, %4, %7, %9 : tensor<i32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
  return %1#1, %1#2, %1#3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
