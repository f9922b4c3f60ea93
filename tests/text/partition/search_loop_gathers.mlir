// Layers of 4 MB, each of them sharded: each iteration gathers its own layer.
// Gathering all layers before the loop would save latency, which is little compared with a layer's bytes, and take the memory of all layers
// RUN: shardopt -shardrun-search-shardings %s
module {
  sdy.mesh @mesh = <["x"=8]>
  func.func @main(%x: tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<4x1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) -> (tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %from = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %to = stablehlo.constant dense<4> : tensor<i32>
    %0:3 = stablehlo.while(%i = %from, %a = %x, %ws = %w) : tensor<i32>, tensor<4096x1024xf32>, tensor<4x1024x1024xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"x"}, {}]>, <@mesh, [{}, {"x"}, {}]>]>}
     cond {
      %1 = stablehlo.compare LT, %i, %to, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.dynamic_slice %ws, %i, %from, %from, sizes = [1, 1024, 1024] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>]>} : (tensor<4x1024x1024xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1024x1024xf32>
      %2 = stablehlo.reshape %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<1x1024x1024xf32>) -> tensor<1024x1024xf32>
      %3 = stablehlo.dot_general %a, %2, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<4096x1024xf32>, tensor<1024x1024xf32>) -> tensor<4096x1024xf32>
      %4 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %4, %3, %ws : tensor<i32>, tensor<4096x1024xf32>, tensor<4x1024x1024xf32>
    }
    return %0#1 : tensor<4096x1024xf32>
  }
}
