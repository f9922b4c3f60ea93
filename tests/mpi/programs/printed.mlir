module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xi32> {
  %0 = interpreter.probe %a, probe_id = "a" : tensor<4xi32>
    return %0 : tensor<4xi32>
  }
}
