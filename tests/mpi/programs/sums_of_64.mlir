// Sums over all of 64 devices, and over groups of 8 devices that are on one node or on several
sdy.mesh @mesh = <["x"=8, "y"=8]>
func.func @main(%a: tensor<640x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
    %b: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> (tensor<16xf32>, tensor<64xf32>, tensor<16xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<640x16xf32>, tensor<f32>) -> tensor<16xf32>
  %1 = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16x64xf32>, tensor<f32>) -> tensor<64xf32>
  %2 = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<16x64xf32>, tensor<f32>) -> tensor<16xf32>
  return %0, %1, %2 : tensor<16xf32>, tensor<64xf32>, tensor<16xf32>
}
