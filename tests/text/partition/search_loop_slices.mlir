// A stack whose row %i a loop reads is gathered once before the loop, and a stack whose row %i it writes is sliced after the loop.
// Broadcasting each row would take a collective per iteration
// RUN: shardopt -shardrun-search-shardings -shardrun-emit-forms -shardrun-insert-reshards %s
module {
  sdy.mesh @mesh = <["x"=8]>
  func.func @main(%x: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %h: tensor<1x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %from = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %to = stablehlo.constant dense<64> : tensor<i32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %zeros = stablehlo.broadcast_in_dim %zero, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<f32>) -> tensor<64x32xf32>
    %0:4 = stablehlo.while(%i = %from, %xs = %x, %a = %h, %ys = %zeros) : tensor<i32>, tensor<64x32xf32>, tensor<1x32xf32>, tensor<64x32xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"x"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"x"}, {}]>]>}
     cond {
      %1 = stablehlo.compare LT, %i, %to, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.dynamic_slice %xs, %i, %from, sizes = [1, 32] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<64x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
      %2 = stablehlo.add %a, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<1x32xf32>
      %3 = stablehlo.dynamic_update_slice %ys, %2, %i, %from {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<64x32xf32>, tensor<1x32xf32>, tensor<i32>, tensor<i32>) -> tensor<64x32xf32>
      %4 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %4, %xs, %2, %3 : tensor<i32>, tensor<64x32xf32>, tensor<1x32xf32>, tensor<64x32xf32>
    }
    return %0#3 : tensor<64x32xf32>
  }
}
