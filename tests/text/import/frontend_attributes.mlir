// Meshes, shardings, results and manual computations are imported from frontend attributes and custom calls.
// RUN: shardopt %s -shardrun-import-frontend-attributes
module attributes {mhlo.frontend_attributes = {other = "kept", xla.sdy.meshes = "{mesh = #sdy.mesh<[\22x\22=4, \22y\22=2]>}"}} {
  func.func public @main(%arg0: tensor<8x4xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22x\22}, {\22y\22}]>"}, mhlo.sharding = "{devices=[4,2]<=[8]}"}, %arg1: tensor<4x8xf32> {mhlo.sharding = "{replicated}"}) -> (tensor<f32> {mhlo.sharding = "{replicated}"}, tensor<8x8xf32>) {
    %cst = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {mhlo.frontend_attributes = {a = "b", xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22x\22, ?}, {?}]>]>", xla.sdy.sharding_rule = "#sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=8, k=4} reduction={k}, custom>"}} : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.custom_call @Sharding(%0) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\\22x\\22}, {}]>]>"}, mhlo.sharding = "{replicated}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %2:2 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%1, %cst) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22x\22}, {\22y\22}]>, <@mesh, []>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22x\22, \22y\22}>"}} : (tensor<8x8xf32>, tensor<f32>) -> (tensor<2x4xf32>, tensor<f32>)
    %3 = call @xla.sdy.manual_computation_body(%2#0, %2#1) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %4 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%3) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.manual_axes = "#sdy<manual_axes{\22x\22, \22y\22}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22x\22}, {\22y\22}]>]>"}} : (tensor<2x4xf32>) -> tensor<8x8xf32>
    stablehlo.custom_call @xla.sdy.ShardingGroup(%4) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "7 : i64"}} : (tensor<8x8xf32>) -> ()
    %5 = stablehlo.custom_call @xla.sdy.PropagationBarrier(%4) {mhlo.frontend_attributes = {xla.sdy.allowed_direction = "1 : i64"}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %6 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%5) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22x\22}, {}]>]>"}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %cst, %6 : tensor<f32>, tensor<8x8xf32>
  }
  func.func @xla.sdy.manual_computation_body(%arg0: tensor<2x4xf32>, %arg1: tensor<f32>) -> tensor<2x4xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
}
