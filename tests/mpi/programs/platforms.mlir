module @platforms {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%platform: tensor<i32> {jax.global_constant = "_platform_index"}, %x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
    %r = "stablehlo.case"(%platform) ({
      %a = stablehlo.add %x, %x : tensor<4xf32>
      stablehlo.return %a : tensor<4xf32>
    }, {
      %b = func.call @elsewhere(%x) : (tensor<4xf32>) -> tensor<4xf32>
      stablehlo.return %b : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
  func.func private @elsewhere(%x: tensor<4xf32>) -> tensor<4xf32> {
    %r = stablehlo.custom_call @another_machine(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
}
