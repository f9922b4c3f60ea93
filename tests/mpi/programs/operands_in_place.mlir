// Collectives of every kind over all devices and over one axis, with operands of more than 16 kB, which are read in place,
// and with small operands.
module {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func @main(%a: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                  %b: tensor<512x256xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>})
      -> (tensor<512x512xf32>, tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
          tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}, tensor<f32>,
          tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<512x256xbf16>, tensor<256xbf16>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %narrow = stablehlo.constant dense<0.0> : tensor<bf16>
    %whole = sdy.sharding_constraint %a <@mesh, [{}, {}]> : tensor<512x512xf32>
    %turned = stablehlo.transpose %a, dims = [1, 0] : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %product = stablehlo.dot_general %a, %a, contracting_dims = [1] x [1] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %sum = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x512xf32>, tensor<f32>) -> tensor<f32>
    %last = stablehlo.slice %a [511:512, 0:512] : (tensor<512x512xf32>) -> tensor<1x512xf32>
    %others = stablehlo.slice %a [0:511, 0:512] : (tensor<512x512xf32>) -> tensor<511x512xf32>
    %rolled = stablehlo.concatenate %last, %others, dim = 0 : (tensor<1x512xf32>, tensor<511x512xf32>) -> tensor<512x512xf32>
    %c = sdy.sharding_constraint %b <@mesh, [{}, {}]> : tensor<512x256xbf16>
    %rows = stablehlo.reduce(%b init: %narrow) applies stablehlo.add across dimensions = [0] : (tensor<512x256xbf16>, tensor<bf16>) -> tensor<256xbf16>
    return %whole, %turned, %product, %sum, %rolled, %c, %rows : tensor<512x512xf32>, tensor<512x512xf32>, tensor<512x512xf32>, tensor<f32>, tensor<512x512xf32>, tensor<512x256xbf16>, tensor<256xbf16>
  }
}
