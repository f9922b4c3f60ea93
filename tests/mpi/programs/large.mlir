module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<400000000xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<400000000xf32> {
    %0 = stablehlo.negate %a : tensor<400000000xf32>
    return %0 : tensor<400000000xf32>
  }
}
