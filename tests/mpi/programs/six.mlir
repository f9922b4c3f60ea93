module {
  sdy.mesh @mesh = <["x"=3, "y"=2]>
  func.func @main(%a: tensor<7x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<10x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<10x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<f32>) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<7x10xf32>, tensor<10x5xf32>) -> tensor<7x5xf32>
    %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<7x10xf32>) -> tensor<10x7xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %2 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x5xf32>, tensor<f32>) -> tensor<f32>
    return %0, %1, %2 : tensor<7x5xf32>, tensor<10x7xf32>, tensor<f32>
  }
}
