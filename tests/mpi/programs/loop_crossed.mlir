// Each donated argument gets the next value of the other, which is computed in other memory
module @crossed {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<4xi32> {tf.aliasing_output = 1 : i32, sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<4xi32> {tf.aliasing_output = 0 : i32, sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                  %c: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
      -> (tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %0 = stablehlo.add %a, %c : tensor<4xi32>
    %1 = stablehlo.subtract %b, %a : tensor<4xi32>
    return %0, %1 : tensor<4xi32>, tensor<4xi32>
  }
}
