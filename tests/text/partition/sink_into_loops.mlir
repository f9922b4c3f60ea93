// Elementwise ops on a stack that a loop fills are sunk into the loop, also if it is filled from the back, and several ops in sequence;
// not if a slice is left out, if another op reads the stack, or if an operand is defined after the loop
// RUN: shardopt %s -shardrun-sink-into-loops=min-bytes=64 -canonicalize && shardopt %s -shardrun-sink-into-loops

sdy.mesh @mesh = <["x"=2]>

func.func @step(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg1: tensor<1x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_0 = stablehlo.constant dense<1> : tensor<i32>
  %c_1 = stablehlo.constant dense<4> : tensor<i32>
  %0 = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} dense<0.000000e+00> : tensor<4x8xf32>
  %1:2 = stablehlo.while(%i = %c, %s = %0) : tensor<i32>, tensor<4x8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{}, {"x"}]>]>}
  cond {
    %6 = stablehlo.compare LT, %i, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %6 : tensor<i1>
  } do {
    %6 = stablehlo.subtract %c_1, %i : tensor<i32>
    %7 = stablehlo.subtract %6, %c_0 : tensor<i32>
    %8 = stablehlo.compare LT, %7, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %9 = stablehlo.add %7, %c_1 : tensor<i32>
    %10 = stablehlo.select %8, %9, %7 : tensor<i1>, tensor<i32>
    %11 = stablehlo.dynamic_update_slice %s, %arg1, %10, %c {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    %12 = stablehlo.add %i, %c_0 : tensor<i32>
    stablehlo.return %12, %11 : tensor<i32>, tensor<4x8xf32>
  }
  %2 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<f32>) -> tensor<4x8xf32>
  %4 = stablehlo.multiply %3, %1#1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<4x8xf32>
  %5 = stablehlo.subtract %arg0, %4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<4x8xf32>
  return %5 : tensor<4x8xf32>
}

// The last slice is written twice, the first never
func.func @left_out(%arg0: tensor<1x8xf32>) -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_0 = stablehlo.constant dense<1> : tensor<i32>
  %c_1 = stablehlo.constant dense<4> : tensor<i32>
  %0 = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} dense<0.000000e+00> : tensor<4x8xf32>
  %1:2 = stablehlo.while(%i = %c, %s = %0) : tensor<i32>, tensor<4x8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{}, {}]>]>}
  cond {
    %3 = stablehlo.compare LT, %i, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  } do {
    %3 = stablehlo.add %i, %c_0 : tensor<i32>
    %4 = stablehlo.dynamic_update_slice %s, %arg0, %3, %c {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    stablehlo.return %3, %4 : tensor<i32>, tensor<4x8xf32>
  }
  %2 = stablehlo.cosine %1#1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// Two slices per iteration; a scalar for all elements; a stack with two readers; an operand defined after the loop
func.func @readers(%arg0: tensor<2x8xf32>, %arg1: tensor<f32>) -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_0 = stablehlo.constant dense<2> : tensor<i32>
  %c_1 = stablehlo.constant dense<4> : tensor<i32>
  %0 = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} dense<0.000000e+00> : tensor<4x8xf32>
  %1:3 = stablehlo.while(%i = %c, %s = %0, %t = %0) : tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>]>}
  cond {
    %6 = stablehlo.compare LT, %i, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %6 : tensor<i1>
  } do {
    %6 = stablehlo.dynamic_update_slice %s, %arg0, %i, %c {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<4x8xf32>, tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    %7 = stablehlo.dynamic_update_slice %t, %arg0, %i, %c {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<4x8xf32>, tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    %8 = stablehlo.add %i, %c_0 : tensor<i32>
    stablehlo.return %8, %6, %7 : tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
  %2 = stablehlo.clamp %arg1, %1#1, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<f32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %3 = stablehlo.cosine %1#2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<4x8xf32>
  %4 = stablehlo.sine %1#2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<4x8xf32>
  %5 = stablehlo.add %2, %3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<4x8xf32>
  return %5, %3, %4 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
