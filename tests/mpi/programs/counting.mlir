module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xi32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %end = stablehlo.constant dense<2000000> : tensor<i32>
    %0:2 = stablehlo.while(%i = %zero, %v = %a) : tensor<i32>, tensor<4xi32>
     cond {
      %t = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %w = stablehlo.negate %v : tensor<4xi32>
      stablehlo.return %j, %w : tensor<i32>, tensor<4xi32>
    }
    return %0#1 : tensor<4xi32>
  }
}
