// No argument is donated: each step exchanges two values, and one result is carried to two arguments
module @swapped {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                  %c: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
      -> (tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %0 = stablehlo.add %a, %c : tensor<4xi32>
    %1 = stablehlo.subtract %b, %a : tensor<4xi32>
    return %0, %1 : tensor<4xi32>, tensor<4xi32>
  }
}
