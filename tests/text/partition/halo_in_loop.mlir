// A concatenate that shifts every shard by a different amount: each device gets its elements by several permutes, which send less than a gather.
// In a loop the latency of each permute counts, too: there the value is gathered
// RUN: shardopt %s -shardrun-emit-forms
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%x: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %y: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<80xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %from = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %to = stablehlo.constant dense<100> : tensor<i32>
    %0 = stablehlo.concatenate %x, %y, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<64xf32>, tensor<16xf32>) -> tensor<80xf32>
    %1:2 = stablehlo.while(%i = %from, %a = %x) : tensor<i32>, tensor<64xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"x"}]>]>}
     cond {
      %2 = stablehlo.compare LT, %i, %to, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = stablehlo.concatenate %a, %y, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<64xf32>, tensor<16xf32>) -> tensor<80xf32>
      %3 = stablehlo.slice %2 [16:80] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<80xf32>) -> tensor<64xf32>
      %4 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %4, %3 : tensor<i32>, tensor<64xf32>
    }
    return %0, %1#1 : tensor<80xf32>, tensor<64xf32>
  }
}
