// Ten arrays of 4 MB per device that are live together, and a product.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<2048x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<1024x1024xf32>)
      -> (tensor<2048x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<2048x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2048x1024xf32>, tensor<1024x1024xf32>) -> tensor<2048x1024xf32>
    %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [1] : (tensor<2048x1024xf32>, tensor<1024x1024xf32>) -> tensor<2048x1024xf32>
    %2 = stablehlo.dot_general %1, %b, contracting_dims = [1] x [0] : (tensor<2048x1024xf32>, tensor<1024x1024xf32>) -> tensor<2048x1024xf32>
    %3 = stablehlo.dot_general %2, %b, contracting_dims = [1] x [1] : (tensor<2048x1024xf32>, tensor<1024x1024xf32>) -> tensor<2048x1024xf32>
    %4 = stablehlo.add %0, %3 : tensor<2048x1024xf32>
    %5 = stablehlo.add %1, %2 : tensor<2048x1024xf32>
    return %4, %5 : tensor<2048x1024xf32>, tensor<2048x1024xf32>
  }
}
