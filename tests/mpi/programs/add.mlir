module @add {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<8x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                  %b: tensor<8x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<8x2xi32>, tensor<2xi32>) {
    %0 = stablehlo.add %a, %b : tensor<8x2xi32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x2xi32>, tensor<i32>) -> tensor<2xi32>
    return %0, %1 : tensor<8x2xi32>, tensor<2xi32>
  }
}
