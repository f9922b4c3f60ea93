// An update of replicated weights by gradients that a loop gathers is sunk into the loop, and the gather is sunk below the update.
// The gradients are those of layers
// RUN: shardopt %s -shardrun-sink-collectives -canonicalize

sdy.mesh @mesh = <["x"=2]>

func.func @main(%w: tensor<4x512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %g: tensor<1x512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>}) -> (tensor<4x512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_0 = stablehlo.constant dense<1> : tensor<i32>
  %c_1 = stablehlo.constant dense<4> : tensor<i32>
  %0 = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}]>]>} dense<0.000000e+00> : tensor<4x512x512xf32>
  %1:2 = stablehlo.while(%i = %c, %s = %0) : tensor<i32>, tensor<4x512x512xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{}, {}, {}]>]>}
  cond {
    %3 = stablehlo.compare LT, %i, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  } do {
    %3 = sdy.all_gather [{}, {}, {"x"}] %g out_sharding=<@mesh, [{}, {}, {}]> : tensor<1x512x512xf32>
    %4 = stablehlo.dynamic_update_slice %s, %3, %i, %c, %c {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}]>]>} : (tensor<4x512x512xf32>, tensor<1x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x512x512xf32>
    %5 = stablehlo.add %i, %c_0 : tensor<i32>
    stablehlo.return %5, %4 : tensor<i32>, tensor<4x512x512xf32>
  }
  %2 = stablehlo.subtract %w, %1#1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}]>]>} : tensor<4x512x512xf32>
  return %2 : tensor<4x512x512xf32>
}
