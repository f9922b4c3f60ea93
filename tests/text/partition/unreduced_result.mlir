// Unreduced results: a product and a reduction are sharded along the unreduced axis, and the rest of the reduction is reduced once.
// A value that is reduced on each device becomes partial after the op
// RUN: shardopt %s -shardrun-import-pipeline -sdy-propagation-pipeline=verify-unreduced-axes=false -shardrun-search-shardings -shardrun-insert-reshards && shardopt %s -shardrun-import-pipeline -sdy-propagation-pipeline=verify-unreduced-axes=false -shardrun-insert-reshards=cost=false
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @product(%a: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {}], unreduced={"x"}> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
func.func @sum(%a: tensor<4x2x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}) -> (tensor<2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2x2xi32>, tensor<i32>) -> tensor<2xi32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}], unreduced={"x"}> : tensor<2xi32>
  return %1 : tensor<2xi32>
}
func.func @replicated(%a: tensor<8x2xf32>, %b: tensor<2x8xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"y"}>}) {
  return %a : tensor<4xf32>
}
