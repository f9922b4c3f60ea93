module {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<i32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.add %a, %a : tensor<10xi32>
    %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<10xi32>, tensor<i32>) -> tensor<i32>
    return %0, %1 : tensor<10xi32>, tensor<i32>
  }
}
