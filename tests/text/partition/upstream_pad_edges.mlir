// A pad of a padded operand adds less at the end, since it writes over the operand's padding; a slice of a padded operand takes longer shards
// RUN: shardopt %s -sdy-pad-for-divisibility
sdy.mesh @mesh = <["a"=2]>
func.func @main(%arg0: tensor<3xf32>, %arg1: tensor<f32>) -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}, tensor<7xf32>) {
  %0 = sdy.all_slice [{"a"}] %arg0 out_sharding=<@mesh, [{"a"}]> : tensor<3xf32>
  %1 = stablehlo.pad %0, %arg1, low = [0], high = [1], interior = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
  %2 = stablehlo.pad %arg0, %arg1, low = [0], high = [5], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = sdy.all_slice [{"a"}] %2 out_sharding=<@mesh, [{"a"}]> : tensor<8xf32>
  %4 = stablehlo.slice %3 [0:7] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : (tensor<8xf32>) -> tensor<7xf32>
  %5 = sdy.all_gather [{"a"}] %4 out_sharding=<@mesh, [{}]> : tensor<7xf32>
  return %1, %5 : tensor<6xf32>, tensor<7xf32>
}
