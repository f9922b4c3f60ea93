// Meshes, shardings, constraints, groups, barriers and manual computations are exported as frontend attributes and custom calls.
// RUN: shardopt %s -shardrun-export-frontend-attributes
module attributes {mhlo.frontend_attributes = {other = "kept"}} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<4x8xf32>) -> (tensor<f32>, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %cst = sdy.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {mhlo.frontend_attributes = {a = "b"}, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=8, k=4} reduction={k}, custom>} : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
    %2 = sdy.manual_computation(%1, %cst) in_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, []>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x"} (%arg2: tensor<2x8xf32>, %arg3: tensor<f32>) {
      %4 = sdy.manual_computation(%arg2) in_shardings=[<@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{}, {"y"}]>] manual_axes={"y"} (%arg4: tensor<2x4xf32>) {
        %5 = stablehlo.add %arg4, %arg4 : tensor<2x4xf32>
        sdy.return %5 : tensor<2x4xf32>
      } : (tensor<2x8xf32>) -> tensor<2x8xf32>
      sdy.return %4 : tensor<2x8xf32>
    } : (tensor<8x8xf32>, tensor<f32>) -> tensor<8x8xf32>
    sdy.sharding_group %2 group_id=7 : tensor<8x8xf32>
    %3 = sdy.propagation_barrier %2 allowed_direction=FORWARD : tensor<8x8xf32>
    return %cst, %3 : tensor<f32>, tensor<8x8xf32>
  }
}
