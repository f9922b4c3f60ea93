// A function that returns a large argument unchanged.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<400000000xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<400000000xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    return %a : tensor<400000000xf32>
  }
}
