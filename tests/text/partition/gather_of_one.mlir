// The element of a 1x1 sharded matrix is on the first device; one broadcast over both axes replaces two all_gathers
// RUN: shardopt %s -shardrun-import-pipeline -sdy-propagation-pipeline -shardrun-partition-pipeline

sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<f32>, tensor<1x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  %0 = stablehlo.slice %arg0 [9:10, 6:7] : (tensor<16x8xf32>) -> tensor<1x1xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x1xf32>) -> tensor<f32>
  %2 = stablehlo.slice %arg0 [3:4, 0:8] : (tensor<16x8xf32>) -> tensor<1x8xf32>
  return %1, %2 : tensor<f32>, tensor<1x8xf32>
}
