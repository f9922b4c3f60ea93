// A function that was exported for a mesh of one device, called by a program on a mesh of two; the meshes share an axis name.
sdy.mesh @one = <["i"=1, "devices"=1]>
sdy.mesh @mesh = <["i"=2]>
func.func @main(%x: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"i"}, {}]>}) -> tensor<2xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<8x2xf32>
  %1 = func.call @f(%0) : (tensor<8x2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
func.func private @f(%x: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@one, [{"i"}, {}]>}) -> tensor<2xf32> {
  %y = sdy.sharding_constraint %x <@one, [{"i"}, {"devices"}]> : tensor<8x2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
