module {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<30001x70xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<30001x70xf32> {
    %0 = stablehlo.negate %a : tensor<30001x70xf32>
    return %0 : tensor<30001x70xf32>
  }
}
