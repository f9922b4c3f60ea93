module {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
    %0 = stablehlo.while(%v = %a) : tensor<8xf32>
     cond {
      %t = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.reduce(%v init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
      %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %1 = stablehlo.subtract %v, %b : tensor<8xf32>
      %kept = sdy.sharding_constraint %1 <@mesh, [{"x"}]> : tensor<8xf32>
      stablehlo.return %kept : tensor<8xf32>
    }
    return %0 : tensor<8xf32>
  }
}
