module @gathered_and_scattered {
  sdy.mesh @mesh = <["x"=3, "y"=2]>
  func.func public @main(%a: tensor<384x384xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<384x384xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> (tensor<384x384xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<384x384xi32>, tensor<384x384xi32>) -> tensor<384x384xi32>
    return %0 : tensor<384x384xi32>
  }
}
