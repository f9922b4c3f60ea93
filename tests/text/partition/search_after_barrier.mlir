// Two ops differ only in their operands' shardings: the one whose operand, after a barrier, is on another mesh has no alternative
// RUN: shardopt -shardrun-search-shardings %s
module {
  sdy.mesh @mesh = <["x"=2]>
  sdy.mesh @empty_mesh = <[]>
  func.func @main(%a: tensor<i32>, %b: tensor<i32> {sdy.sharding = #sdy.sharding<@empty_mesh, []>}, %x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<i1>, tensor<i1>, tensor<8xf32>) {
    %0 = stablehlo.compare LT, %a, %a : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = sdy.propagation_barrier %b allowed_direction=NONE : tensor<i32>
    %2 = stablehlo.compare LT, %1, %a : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.negate %x : tensor<8xf32>
    return %0, %2, %3 : tensor<i1>, tensor<i1>, tensor<8xf32>
  }
}
