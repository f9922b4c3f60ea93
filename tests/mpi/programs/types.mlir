module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<2x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<2x3xbf16>, tensor<2x3xf64>, tensor<2x3xi1>, tensor<2x3xui8>, tensor<f32>, tensor<0x3xf32>, tensor<2x3xcomplex<f32>>, tensor<6xi16>) {
    %0 = stablehlo.convert %a : (tensor<2x3xf32>) -> tensor<2x3xbf16>
    %1 = stablehlo.convert %a : (tensor<2x3xf32>) -> tensor<2x3xf64>
    %2 = stablehlo.convert %a : (tensor<2x3xf32>) -> tensor<2x3xi1>
    %3 = stablehlo.convert %a : (tensor<2x3xf32>) -> tensor<2x3xui8>
    %c = stablehlo.constant dense<2.5> : tensor<f32>
    %5 = stablehlo.slice %a [0:0, 0:3] : (tensor<2x3xf32>) -> tensor<0x3xf32>
    %6 = stablehlo.complex %a, %a : tensor<2x3xcomplex<f32>>
    %7 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<6xf32>
    %8 = stablehlo.convert %7 : (tensor<6xf32>) -> tensor<6xi16>
    return %0, %1, %2, %3, %c, %5, %6, %8 : tensor<2x3xbf16>, tensor<2x3xf64>, tensor<2x3xi1>, tensor<2x3xui8>, tensor<f32>, tensor<0x3xf32>, tensor<2x3xcomplex<f32>>, tensor<6xi16>
  }
}
