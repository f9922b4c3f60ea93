module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
    %0 = stablehlo.while(%v = %a) : tensor<4xf32>
     cond {
      %t = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %1 = stablehlo.negate %v : tensor<4xf32>
      stablehlo.return %1 : tensor<4xf32>
    }
    return %0 : tensor<4xf32>
  }
}
