module {
  sdy.mesh @a = <["x"=4]>
  sdy.mesh @b = <["p"=2]>
  func.func @main(%v: tensor<4xi32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}) -> (tensor<4xi32> {sdy.sharding = #sdy.sharding<@b, [{"p"}]>}) {
    %0 = stablehlo.add %v, %v : tensor<4xi32>
    return %0 : tensor<4xi32>
  }
}
