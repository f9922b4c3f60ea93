// Shardy's ops and attributes are parsed and printed in their custom forms.
// RUN: shardopt %s
sdy.mesh @mesh = #sdy.mesh<["x"=2, "y"=4]>
sdy.mesh @other = <["x"=2, "y"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
sdy.mesh @same = <["x"=2], device_ids=[0, 1]>
sdy.mesh @one = <[], device_ids=[3]>
func.func @f(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {"y":(1)2}p1]>}) -> tensor<8x16xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{?}, {"y"}]> : tensor<8x16xf32>
  %1 = sdy.reshard %0 <@mesh, [{"x"}, {}], replicated={"y"}> : tensor<8x16xf32>
  %2 = sdy.manual_computation(%1) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x16xf32>) {
    %9 = stablehlo.negate %b : tensor<4x16xf32>
    sdy.return %9 : tensor<4x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = sdy.named_computation<"inner">(%2) in_shardings=[<@mesh, [{}, {}]>] (%b: tensor<8x16xf32>) {
    sdy.return %b : tensor<8x16xf32>
  } {note} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  sdy.sharding_group %3 group_id=4 : tensor<8x16xf32>
  %4 = sdy.propagation_barrier %3 allowed_direction=BACKWARD : tensor<8x16xf32>
  %n = stablehlo.negate %4 : tensor<8x16xf32>
  %5 = sdy.data_flow_edge %n sharding=<@mesh, [{"x"}, {}]> : tensor<8x16xf32>
  %6 = sdy.all_gather [{"x"}, {}] %5 out_sharding=<@mesh, [{}, {}]> : tensor<8x16xf32>
  %7 = stablehlo.add %6, %6 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=16}, custom>} : tensor<8x16xf32>
  %8 = sdy.all_slice [{}, {"y":(2)2}] %7 out_sharding=<@mesh, [{}, {"y":(2)2}]> : tensor<8x16xf32>
  return %8 : tensor<8x16xf32>
}
