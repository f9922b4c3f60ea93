module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, tf.aliasing_output = 0 : i32},
                  %b: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, jax.buffer_donor = true}) -> (tensor<4xi32>, tensor<4xi32>) {
    %0 = stablehlo.add %a, %a : tensor<4xi32>
    %1 = stablehlo.multiply %b, %a : tensor<4xi32>
    return %0, %1 : tensor<4xi32>, tensor<4xi32>
  }
}
