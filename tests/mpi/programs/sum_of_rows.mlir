module {
  sdy.mesh @mesh = <["x"=8]>
  func.func @main(%x: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x2xf32>, tensor<f32>) -> tensor<2xf32>
    %all = stablehlo.broadcast_in_dim %sum, dims = [1] : (tensor<2xf32>) -> tensor<8x2xf32>
    %y = stablehlo.add %x, %all : tensor<8x2xf32>
    return %y : tensor<8x2xf32>
  }
}
