// For the index of the maximum along a sharded dimension the search gathers partial results. Shards that do not divide the
// dimension are not used: the axis is split.
// RUN: shardopt %s -shardrun-import-pipeline -sdy-propagation-pipeline -shardrun-search-shardings | grep "stablehlo.reduce\|return %.*#\|reshard"
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x1600xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> (tensor<8xf32>, tensor<8xi32>) {
  %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %i = stablehlo.iota dim = 1 : tensor<8x1600xi32>
  %0:2 = stablehlo.reduce(%a init: %c), (%i init: %z) across dimensions = [1] : (tensor<8x1600xf32>, tensor<8x1600xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
   reducer(%p: tensor<f32>, %q: tensor<f32>) (%pi: tensor<i32>, %qi: tensor<i32>) {
    %gt = stablehlo.compare GT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %eq = stablehlo.compare EQ, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = stablehlo.compare LT, %pi, %qi : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %an = stablehlo.and %eq, %lt : tensor<i1>
    %or = stablehlo.or %gt, %an : tensor<i1>
    %v = stablehlo.select %or, %p, %q : tensor<i1>, tensor<f32>
    %w = stablehlo.select %or, %pi, %qi : tensor<i1>, tensor<i32>
    stablehlo.return %v, %w : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xi32>
}
func.func @uneven(%a: tensor<8x1602xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> (tensor<8xf32>, tensor<8xi32>) {
  %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %i = stablehlo.iota dim = 1 : tensor<8x1602xi32>
  %0:2 = stablehlo.reduce(%a init: %c), (%i init: %z) across dimensions = [1] : (tensor<8x1602xf32>, tensor<8x1602xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
   reducer(%p: tensor<f32>, %q: tensor<f32>) (%pi: tensor<i32>, %qi: tensor<i32>) {
    %gt = stablehlo.compare GT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %eq = stablehlo.compare EQ, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = stablehlo.compare LT, %pi, %qi : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %an = stablehlo.and %eq, %lt : tensor<i1>
    %or = stablehlo.or %gt, %an : tensor<i1>
    %v = stablehlo.select %or, %p, %q : tensor<i1>, tensor<f32>
    %w = stablehlo.select %or, %pi, %qi : tensor<i1>, tensor<i32>
    stablehlo.return %v, %w : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xi32>
}
