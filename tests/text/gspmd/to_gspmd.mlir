// Constraints, reshards, groups, multiple results, single devices and manual computations are exported as GSPMD annotations.
// RUN: shardopt %s -sdy-to-gspmd
sdy.mesh @mesh = <["x"=4, "y"=2]>
sdy.mesh @maximal_mesh_3 = <[], device_ids=[3]>
func.func @main(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced={"y"}>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x", ?}, {?}]> : tensor<8x8xf32>
  %1 = sdy.reshard %0 <@mesh, [{"y"}, {"x"}]> : tensor<8x8xf32>
  sdy.sharding_group %1 group_id=5 : tensor<8x8xf32>
  %2 = sdy.propagation_barrier %1 allowed_direction=NONE : tensor<8x8xf32>
  %3:2 = stablehlo.custom_call @f(%2) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, []>]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<f32>)
  %4 = stablehlo.custom_call @g(%3#0) {sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_3, []>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = sdy.manual_computation(%4) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x", "y"}, {}]>] manual_axes={"x"} (%arg2: tensor<2x8xf32>) {
    %6 = stablehlo.negate %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : tensor<2x8xf32>
    sdy.return %6 : tensor<2x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %5, %2 : tensor<8x8xf32>, tensor<8x8xf32>
}
