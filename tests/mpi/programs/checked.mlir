module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %0 = stablehlo.add %a, %a : tensor<4xi32>
    check.expect_eq_const %0, dense<[2, 4, 6, 8]> : tensor<4xi32>
    return %0 : tensor<4xi32>
  }
}
