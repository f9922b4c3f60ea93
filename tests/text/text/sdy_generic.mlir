// Shardy's attributes carry their names in the generic form
// RUN: shardopt %s -mlir-print-op-generic
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x16xf32>) {
    sdy.return %b : tensor<4x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction=FORWARD : tensor<8x16xf32>
  %2 = sdy.all_slice [{"x"}, {"y"}] %1 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x16xf32>
  %3 = sdy.all_to_all [{"y"}: 1->0] %2 out_sharding=<@mesh, [{"x", "y"}, {}]> : tensor<8x16xf32>
  return %3 : tensor<8x16xf32>
}
