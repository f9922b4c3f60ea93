// A loop-carried value gets the best sharding for all iterations: the batch moves to the other axis before the loop and back after it.
// The loop-invariant weight is gathered (once: the gather is hoisted out of the loop), where partial sums would be
// reduced in every iteration
// RUN: shardopt -shardrun-search-shardings %s
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%x: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %from = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %to = stablehlo.constant dense<100> : tensor<i32>
    %0:3 = stablehlo.while(%i = %from, %a = %x, %b = %w) : tensor<i32>, tensor<64x64xf32>, tensor<64x64xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"x"}, {}]>, <@mesh, [{"y"}, {}]>]>}
     cond {
      %1 = stablehlo.compare LT, %i, %to, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %2 = stablehlo.tanh %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<64x64xf32>
      %3 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %3, %2, %b : tensor<i32>, tensor<64x64xf32>, tensor<64x64xf32>
    }
    return %0#1 : tensor<64x64xf32>
  }
}
