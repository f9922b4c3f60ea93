module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%a: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>},
                         %b: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
                         %c: tensor<2x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced={"y"}>})
      -> (tensor<2x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"y"}>}, tensor<2x2xf32>) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {}], unreduced={"y"}> : tensor<2x2xf32>
    %2 = sdy.sharding_constraint %c <@mesh, [{"x"}, {}]> : tensor<2x2xf32>
    %3 = stablehlo.tanh %2 : tensor<2x2xf32>
    return %1, %3 : tensor<2x2xf32>, tensor<2x2xf32>
  }
}
