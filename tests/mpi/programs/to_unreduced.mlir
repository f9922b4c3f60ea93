// Values that become unreduced and are reduced again; an op in between prevents that the two cancel out.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg1: tensor<2x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<2x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = sdy.replicated_to_unreduced {"y"} %arg0 out_sharding=<@mesh, [{}], unreduced={"y"}> : tensor<4xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"y"}>]>} : tensor<4xf32>
  %2 = sdy.all_reduce {"y"} %1 out_sharding=<@mesh, [{}]> : tensor<4xf32>
  %3 = sdy.sharded_to_unreduced [{"x"}, {"y"}] %arg1 out_sharding=<@mesh, [{}, {}], unreduced={"x", "y"}> : tensor<2x4xi32>
  %4 = stablehlo.negate %3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x", "y"}>]>} : tensor<2x4xi32>
  %5 = sdy.all_reduce {"x", "y"} %4 out_sharding=<@mesh, [{}, {}]> : tensor<2x4xi32>
  return %2, %5 : tensor<4xf32>, tensor<2x4xi32>
}
